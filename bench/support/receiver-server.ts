import { createServer } from 'node:http';

/** A merchant's endpoint that accepts every notification immediately. */
const server = createServer((request, response) => {
  request.resume();
  request.on('end', () => response.end());
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address() as { port: number };
  console.log(`receiver on http://127.0.0.1:${address.port}`);
});
process.on('SIGTERM', () => process.exit(0));
