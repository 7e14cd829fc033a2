// The floor of the throughput promises: after a line on stdin, writes `<bytes in all> <bytes of one write>` and waits for its end.
const [, , total, size] = process.argv.map(Number);
const piece = Buffer.alloc(size, 120);
piece[size - 1] = 10;
let left = total;
function write() {
  while (left > 0) {
    left -= size;
    if (!process.stdout.write(piece)) return process.stdout.once('drain', write);
  }
}
process.stdin.once('data', write).on('end', () => process.exit(0));
