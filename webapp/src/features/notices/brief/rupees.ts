/** An amount as people write it, ₹12,45,000.50; null for what is none. */
export function rupeesIn(written: string): number | null {
  const amount = Number(written.replaceAll(/[₹,\s]|Rs\.?|\/-/gi, ""));
  return Number.isNaN(amount) ? null : amount;
}
