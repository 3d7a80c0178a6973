import { formatAmount, formatWithSymbol } from '../format/amount.ts';
import classes from './amount.module.css';

type AmountProps = {
  value: string;
  currency: string;
  /** Whether the code of the currency is left out, because a column of its own names it. */
  isWithoutCode?: boolean;
};

export function Amount({ value, currency, isWithoutCode = false }: AmountProps) {
  const format = isWithoutCode ? formatWithSymbol : formatAmount;
  return <span className={classes.amount}>{format(value, currency)}</span>;
}
