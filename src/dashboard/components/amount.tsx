import { formatAmount } from '../format/amount.ts';
import classes from './amount.module.css';

/** An amount that never breaks in the middle. */
export function Amount({ value, currency }: { value: string; currency: string }) {
  return <span className={classes.amount}>{formatAmount(value, currency)}</span>;
}
