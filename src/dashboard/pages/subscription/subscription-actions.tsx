import { Text } from '@mantine/core';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { useMutationAction } from '../../components/use-mutation-action.ts';
import { useHasPermission } from '../../viewer.ts';
import { cancelSubscriptionMutation, type SubscriptionDetails } from './subscription-query.ts';

type SubscriptionActionsProps = { subscription: SubscriptionDetails; onChanged: () => void };

export function SubscriptionActions({ subscription, onChanged }: SubscriptionActionsProps) {
  const canWrite = useHasPermission('write');
  const cancel = useMutationAction(cancelSubscriptionMutation, onChanged);
  const isOngoing = subscription.status === 'active' || subscription.status === 'inactive';
  if (!canWrite || !isOngoing) return null;
  return (
    <ConfirmButton
      label="Cancel subscription"
      title="Cancel this subscription?"
      cancelLabel="Keep subscription"
      variant="default"
      isDanger
      onConfirm={() => cancel({ input: { id: subscription.id } })}
    >
      <Text size="sm">
        Its open invoice will be voided and its open charge cancelled. Nothing is refunded; the customer keeps
        access until the end of the period they’ve paid for. This cannot be undone.
      </Text>
    </ConfirmButton>
  );
}
