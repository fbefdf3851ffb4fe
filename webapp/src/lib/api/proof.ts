/** The proof of work that the server requires when a network has used up its hourly allowance. */
export type Proof = { challenge: string; bits: number };

/**
 * Returns the challenge followed by a number such that the SHA-256 begins with the required zero bits. It takes a
 * second or more, so it should run in a worker.
 */
export function solve({ challenge, bits }: Proof): string {
  const head = Array.from(new TextEncoder().encode(challenge));
  for (let n = 0; ; n++) {
    const number = String(n);
    if (zeroBits(sha256(head.concat(Array.from(number, (digit) => digit.charCodeAt(0))))) >= bits)
      return challenge + number;
  }
}

function zeroBits(words: Int32Array): number {
  let zeros = 0;
  for (const word of words) {
    zeros += Math.clz32(word);
    if (word !== 0) break;
  }
  return zeros;
}

// The constants of FIPS 180-4: the first 32 bits of the fractional parts of roots of the first 64 primes.
const primes: number[] = [];
for (let n = 2; primes.length < 64; n++) if (primes.every((p) => n % p !== 0)) primes.push(n);
const fraction = (x: number) => ((x - Math.floor(x)) * 2 ** 32) | 0;
const rounds = Int32Array.from(primes, (p) => fraction(Math.cbrt(p)));
const begin = Int32Array.from(primes.slice(0, 8), (p) => fraction(Math.sqrt(p)));
const schedule = new Int32Array(64);

const turned = (x: number, by: number) => (x >>> by) | (x << (32 - by));
const at = (words: Int32Array, i: number): number => words[i] ?? 0;

/**
 * Returns the SHA-256 of bytes as eight words. The browser's own function returns a promise, which takes ten times
 * longer.
 */
export function sha256(bytes: number[]): Int32Array {
  const blocks = Math.ceil((bytes.length + 9) / 64);
  const padded = new DataView(new ArrayBuffer(blocks * 64));
  bytes.forEach((byte, i) => {
    padded.setUint8(i, byte);
  });
  padded.setUint8(bytes.length, 0x80);
  padded.setUint32(blocks * 64 - 4, bytes.length * 8);
  const state = begin.slice();
  const w = schedule;
  for (let block = 0; block < blocks; block++) {
    for (let i = 0; i < 16; i++) w[i] = padded.getInt32(block * 64 + i * 4);
    for (let i = 16; i < 64; i++) {
      const a = at(w, i - 15);
      const b = at(w, i - 2);
      const s0 = turned(a, 7) ^ turned(a, 18) ^ (a >>> 3);
      const s1 = turned(b, 17) ^ turned(b, 19) ^ (b >>> 10);
      w[i] = at(w, i - 16) + s0 + at(w, i - 7) + s1;
    }
    let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
    for (let i = 0; i < 64; i++) {
      const s1 = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25);
      const t1 = (h + s1 + ((e & f) ^ (~e & g)) + at(rounds, i) + at(w, i)) | 0;
      const s0 = turned(a, 2) ^ turned(a, 13) ^ turned(a, 22);
      const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + t1) | 0, c, b, a, (t1 + t2) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((value, i) => {
      state[i] = at(state, i) + value;
    });
  }
  return state;
}
