# Mojolicious' own server.
use Mojolicious::Lite -signatures;
use Mojo::IOLoop;

my ($port, $limit) = splice @ARGV, 0, 2;

websocket '/*rest' => sub ($c) {
    my ($name, $value) = split m{/}, $c->param('rest');
    my $tx = $c->tx;
    $tx->max_websocket_size($limit);
    $tx->with_compression;
    $tx->with_protocols('second');
    my $finish = sub { $tx->finish(@_) };
    $finish->($value, 'the reason') if $name eq 'close';
    $c->send('ready') if $name eq 'wait';
    $c->send('the last message' => sub { $finish->() }) if $name eq 'return';
    if ($name eq 'many') {
        $c->send("message $_") for 0 .. $value - 1;
        $finish->(1000);
    }
    $c->send($tx->protocol // 'none' => sub { $finish->(1000) }) if $name eq 'subprotocol';
    if ($name eq 'hold') {
        my $timer = Mojo::IOLoop->recurring(0.3 => sub { $tx->send([1, 0, 0, 0, 9, 'ping']) });
        Mojo::IOLoop->timer(3 => sub {
            Mojo::IOLoop->remove($timer);
            $c->send('still open' => sub { $finish->(1000) });
        });
    }
    my $reply = sub ($c, $message) {
        die "the handler failed\n" if $name eq 'raise';
        return Mojo::IOLoop->timer(0.5 => sub { $c->send($message) }) if $name eq 'slow';
        $c->send($message) if $name eq 'echo';
    };
    $c->on(text => sub ($c, $bytes) { $reply->($c, {text => $bytes}) });
    $c->on(binary => sub ($c, $bytes) { $reply->($c, {binary => $bytes}) });
};

app->log->level('fatal');
app->start('daemon', '-m', 'production', '-l', "http://127.0.0.1:$port");
