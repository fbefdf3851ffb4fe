/**
 * Returns a new Idempotency-Key. An action of a person keeps its key however often it is sent, so that a lost answer
 * never leads to two turns.
 */
export function idempotencyKey(): string {
  // crypto.randomUUID is missing on plain http outside localhost.
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
