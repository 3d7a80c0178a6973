/** A time zone as a choice. */
export type TimeZoneOption = { value: string; label: string };

const supportedZones = Intl.supportedValuesOf('timeZone');

/**
 * The time zones to choose from. `chosen` is among them, whatever the browser calls it: Chromium lists Asia/Saigon, not
 * Asia/Ho_Chi_Minh. `first` stands before them, in place of the zone of its value.
 */
export function getTimeZoneOptions(selected: string, first?: TimeZoneOption): TimeZoneOption[] {
  const isListed = selected === first?.value || supportedZones.includes(selected);
  const zones = isListed ? supportedZones : [...supportedZones, selected].toSorted();
  const options = zones.map((value) => ({ value, label: formatTimeZone(value) }));
  return first ? [first, ...options.filter(({ value }) => value !== first.value)] : options;
}

/** `Asia/Hong_Kong` as people write it. */
export function formatTimeZone(zone: string): string {
  return zone.replaceAll('_', ' ');
}
