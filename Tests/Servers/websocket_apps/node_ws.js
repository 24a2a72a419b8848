// The package `ws` of Node.js, without a framework.
const { WebSocketServer } = require('ws');

const port = Number(process.argv[2]);
const limit = Number(process.argv[3]);
const server = new WebSocketServer({
  host: '127.0.0.1', port, maxPayload: limit, perMessageDeflate: { threshold: 0 },
  verifyClient: ({ req }) => req.url !== '/refuse',
  handleProtocols: (protocols) => (protocols.has('second') ? 'second' : false),
});

server.on('connection', (socket, request) => {
  const [name, value] = request.url.slice(1).split('/');
  // Without this, an invalid or too long message would end the process.
  socket.on('error', () => {});
  if (name === 'close') socket.close(Number(value), 'the reason');
  if (name === 'return') socket.send('the last message', () => socket.close());
  if (name === 'wait') socket.send('ready');
  if (name === 'many') {
    for (let number = 0; number < Number(value); number++) socket.send(`message ${number}`);
    socket.close(1000);
  }
  if (name === 'subprotocol') socket.send(socket.protocol || 'none', () => socket.close(1000));
  if (name === 'hold') {
    const timer = setInterval(() => socket.ping(), 300);
    setTimeout(() => { clearInterval(timer); socket.send('still open'); socket.close(1000); }, 3000);
  }
  socket.on('message', (data, isBinary) => {
    if (name === 'slow') setTimeout(() => socket.send(data, { binary: isBinary }), 500);
    if (name === 'echo') socket.send(data, { binary: isBinary });
  });
});

// The documentation of `ws` recommends this for a shutdown.
process.on('SIGTERM', () => {
  server.clients.forEach((socket) => socket.close(1001, 'shutdown'));
  server.close(() => process.exit(0));
});
