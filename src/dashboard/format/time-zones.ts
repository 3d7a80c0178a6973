/** A time zone as a choice. */
export type ZoneOption = { value: string; label: string };

const listed = Intl.supportedValuesOf('timeZone');

/**
 * The time zones to choose from. `chosen` is among them, whatever the browser calls it: Chromium lists Asia/Saigon, not
 * Asia/Ho_Chi_Minh. `first` stands before them, in place of the zone of its value.
 */
export function zoneOptions(chosen: string, first?: ZoneOption): ZoneOption[] {
  const isKnown = chosen === first?.value || listed.includes(chosen);
  const zones = isKnown ? listed : [...listed, chosen].toSorted();
  const options = zones.map((value) => ({ value, label: zoneText(value) }));
  return first ? [first, ...options.filter(({ value }) => value !== first.value)] : options;
}

/** `Asia/Hong_Kong` as people write it. */
export function zoneText(zone: string): string {
  return zone.replaceAll('_', ' ');
}
