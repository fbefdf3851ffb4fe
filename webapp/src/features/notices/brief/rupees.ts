/** Parses an amount as people write it, such as ₹12,45,000.50; null if it is not an amount. */
export function rupeesIn(written: string): number | null {
  const amount = Number(written.replaceAll(/[₹,\s]|Rs\.?|\/-/gi, ""));
  return Number.isNaN(amount) ? null : amount;
}
