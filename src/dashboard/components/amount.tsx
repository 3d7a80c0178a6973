import { formatAmount } from '../format/amount.ts';
import classes from './amount.module.css';

export function Amount({ value, currency }: { value: string; currency: string }) {
  return <span className={classes.amount}>{formatAmount(value, currency)}</span>;
}
