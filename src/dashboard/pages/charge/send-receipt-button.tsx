import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { fillText } from '../../../language/fill-text.ts';
import { ConfirmButton, rowButtonProps } from '../../components/confirm-button.tsx';
import { isMailDelivered } from '../../components/mail-notice.tsx';
import { Muted } from '../../components/muted.tsx';
import { useMutationAction } from '../../components/use-mutation-action.ts';
import { userErrorFields } from '../../graphql/errors.ts';
import { graphql } from '../../graphql/graphql.ts';
import { t } from '../../language/texts.ts';
import { useHasPermission } from '../../viewer.ts';
import type { ChargeDetails } from './charge-query.ts';

const sendReceiptMutation = graphql(
  `
    mutation SendReceipt($input: SendReceiptInput!) {
      sendReceipt(input: $input) {
        __typename
        ... on SendReceiptSuccess {
          charge {
            id
          }
        }
        ...UserErrorFields
      }
    }
  `,
  [userErrorFields],
);

export function SendReceiptButton({ charge: { id, email } }: { charge: ChargeDetails }) {
  const canWrite = useHasPermission('write');
  const [isSent, setSent] = useState(false);
  const send = useMutationAction(sendReceiptMutation, () => setSent(true));
  if (email === null || !canWrite) return null;
  if (!isMailDelivered)
    return (
      <>
        <Button {...rowButtonProps} disabled>
          {t.charge.sendReceipt}
        </Button>
        <Muted>{t.components.emailIsNotDelivered}</Muted>
      </>
    );
  return (
    <>
      {!isSent && (
        <ConfirmButton
          {...rowButtonProps}
          label={t.charge.sendReceipt}
          title={t.charge.sendTheReceipt}
          onConfirm={() => send({ input: { id } })}
        >
          <Text size="sm">{fillText(t.charge.theReceiptIsEmailed, { email })}</Text>
        </ConfirmButton>
      )}
      <span role="status">{isSent && fillText(t.charge.theReceiptIsOnItsWay, { email })}</span>
    </>
  );
}
