<?php
// The same for PHP: `php -S 127.0.0.1:PORT index.php`. Forms are read by PHP.
$path = parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);
$early = ['/413' => 413, '/401' => 401, '/200' => 200];
if (isset($early[$path])) {
    http_response_code($early[$path]);
    if ($early[$path] == 401) {
        header('WWW-Authenticate: Basic realm="table"');
    }
    respond('{"early": true}');
} elseif ($path == '/echo') {
    $body = file_get_contents('php://input');
    respond(json_encode(['method' => $_SERVER['REQUEST_METHOD'],
        'headers' => array_change_key_case(getallheaders()),
        'length' => strlen($body), 'sha256' => hash('sha256', $body)]));
} elseif ($path == '/form') {
    $files = [];
    foreach ($_FILES as $name => $file) {
        $files[] = [$name, $file['name'], $file['error'] ? null : hash_file('sha256', $file['tmp_name'])];
    }
    $fields = [];
    foreach ($_POST as $name => $value) {
        $fields[] = [$name, $value];
    }
    respond(json_encode(['fields' => $fields, 'files' => $files]));
} elseif ($path == '/chunks') {
    header('Content-Type: text/plain');
    for ($index = 0; $index < 20; $index++) {
        echo str_repeat(chr(65 + $index), 10000);
        flush();
    }
} elseif ($path == '/gzip') {
    $text = '';
    for ($index = 0; $index < 20; $index++) {
        $text .= str_repeat(chr(65 + $index), 10000);
    }
    header('Content-Type: text/plain');
    header('Content-Encoding: gzip');
    echo gzencode($text);
} elseif ($path == '/empty') {
    http_response_code(204);
} else {
    http_response_code(404);
}

function respond($content)
{
    header('Content-Type: application/json');
    header('Content-Length: ' . strlen($content));
    echo $content;
}
