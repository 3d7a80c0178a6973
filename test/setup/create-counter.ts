/** Returns a function that counts up from 1, for names and addresses that differ within a test file. */
export function createCounter(): () => number {
  let count = 0;
  return () => {
    count += 1;
    return count;
  };
}
