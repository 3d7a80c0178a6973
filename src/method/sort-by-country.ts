/** Returns the items in their order, but those of the merchant's own country first. */
export function sortByCountry<Item extends { country: string }>(
  items: readonly Item[],
  merchantCountry: string | null,
): Item[] {
  const isOwn = ({ country }: Item) => country === merchantCountry;
  return [...items.filter(isOwn), ...items.filter((item) => !isOwn(item))];
}
