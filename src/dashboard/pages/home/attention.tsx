import { Group } from '@mantine/core';
import { Link } from '../../components/link.tsx';
import { pluralize } from '../../format/count.ts';
import { t } from '../../language/texts.ts';
import classes from './home.module.css';

export function Attention(props: {
  reviewCount: number;
  partlyPaidCount: number;
  payoutCount: number;
  alertCount: number;
}) {
  const { reviewCount, partlyPaidCount, payoutCount, alertCount } = props;
  if (Object.values(props).every((count) => count === 0)) return null;
  return (
    <Group grow gap="sm">
      {reviewCount > 0 && (
        <Link to="/review" fw={600} c="var(--mantine-color-text)" className={classes.attention}>
          {pluralize(reviewCount, t.home.transferReviewCount)}
        </Link>
      )}
      {partlyPaidCount > 0 && (
        <Link
          to="/charges?status=partly_paid"
          fw={600}
          c="var(--mantine-color-text)"
          className={classes.attention}
        >
          {pluralize(partlyPaidCount, t.home.partlyPaidCount)}
        </Link>
      )}
      {payoutCount > 0 && (
        <Link to="/payouts" fw={600} c="var(--mantine-color-text)" className={classes.attention}>
          {pluralize(payoutCount, t.home.payoutCount)}
        </Link>
      )}
      {alertCount > 0 && (
        <Link to="/webhooks" fw={600} c="var(--mantine-color-text)" className={classes.attention}>
          {pluralize(alertCount, t.home.alertCount)}
        </Link>
      )}
    </Group>
  );
}
