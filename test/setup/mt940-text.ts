/** A statement around movements (fields 61 and 86). */
export const mt940Text = (movements: string, { account = '012-345678', currency = 'HKD' } = {}) =>
  [
    ':20:S1',
    `:25:${account}`,
    ':28C:1/1',
    `:60F:C261119${currency}0,`,
    movements,
    `:62F:C261120${currency}100,`,
    '-',
    '',
  ].join('\n');
