export type TimeZoneOption = { value: string; label: string };

const supportedZones = Intl.supportedValuesOf('timeZone');

/**
 * Returns the time zones to select from. They include `selected`, even if the browser lists the zone
 * under another name: Chromium lists Asia/Saigon, not Asia/Ho_Chi_Minh. `firstOption` is shown first
 * and replaces the zone with the same value.
 */
export function getTimeZoneOptions(selected: string, firstOption?: TimeZoneOption): TimeZoneOption[] {
  const isListed = selected === firstOption?.value || supportedZones.includes(selected);
  const zones = isListed ? supportedZones : [...supportedZones, selected].toSorted();
  const options = zones.map((value) => ({ value, label: value.replaceAll('_', ' ') }));
  return firstOption ? [firstOption, ...options.filter(({ value }) => value !== firstOption.value)] : options;
}

/** Returns the city of a zone name such as `Asia/Hong_Kong`, or the name if it has none, such as `UTC`. */
export function formatTimeZone(zone: string): string {
  return zone.slice(zone.lastIndexOf('/') + 1).replaceAll('_', ' ');
}
