import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { isZero } from '../../format/amount.ts';
import { Amount } from '../../parts/amount.tsx';
import { Link } from '../../parts/link.tsx';
import { Section } from '../../parts/section.tsx';
import { useMethodName } from '../payment-methods.ts';
import classes from './account-books.module.css';
import type { ReconciliationLine } from './reconciliation-query.ts';

/** The books of one account in one currency, as one would write them down. */
export function AccountBooks({ line }: { line: ReconciliationLine }) {
  const methodName = useMethodName();
  const { receivingAccount: account, currency } = line;
  const row = (name: ReactNode, value: string, look?: 'part' | 'total') => (
    <tr className={look && classes[look]}>
      <th scope="row">{name}</th>
      <td>
        <Amount value={value} currency={currency} />
      </td>
    </tr>
  );
  return (
    <Section
      title={`${methodName(account.method)} · ${currency}`}
      aside={
        <Text size="sm" c="var(--causeway-muted)" span>
          {account.bank} {account.account}
        </Text>
      }
    >
      <table
        className={classes.books}
        aria-label={`Books of ${account.bank} ${account.account}, ${currency}`}
      >
        <tbody>
          {row('Opening', line.opening)}
          {row('Received', line.received)}
          {row('for charges', line.matched, 'part')}
          {row('parts of charges', line.partial, 'part')}
          {row(
            isZero(line.exceptions) ? (
              'exceptions'
            ) : (
              <Link to={`/transfers?status=exception&account=${account.id}`}>exceptions</Link>
            ),
            line.exceptions,
            'part',
          )}
          {row('sent back or taken back', line.returned, 'part')}
          {row('Less sent back', line.returned)}
          {row('Less refunds paid', line.refunded)}
          {row('Closing', line.closing, 'total')}
          {!isZero(line.otherOutgoing) &&
            row('Beside that, other money that went out', line.otherOutgoing, 'part')}
        </tbody>
      </table>
    </Section>
  );
}
