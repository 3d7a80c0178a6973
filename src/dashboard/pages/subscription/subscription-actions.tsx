import { Button, Group, Menu, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { ConfirmDialog } from '../../components/confirm-button.tsx';
import { useMutationAction } from '../../components/use-mutation-action.ts';
import { useHasPermission } from '../../viewer.ts';
import {
  cancelSubscriptionMutation,
  pauseSubscriptionMutation,
  resumeSubscriptionMutation,
  type SubscriptionDetails,
  skipPaymentMutation,
} from './subscription-query.ts';
import { TermsDialog } from './terms-dialog.tsx';

type SubscriptionActionsProps = { subscription: SubscriptionDetails; onChanged: () => void };
type ConfirmedAction = 'pause' | 'resume' | 'skip' | 'cancel';

export function SubscriptionActions({ subscription, onChanged }: SubscriptionActionsProps) {
  const canWrite = useHasPermission('write');
  const [action, setAction] = useState<ConfirmedAction>();
  const [isChangingTerms, termsDialog] = useDisclosure();
  const { status, activeUntil, pausedAt } = subscription;
  const isOngoing = status === 'active' || status === 'inactive';
  if (!canWrite || !isOngoing) return null;
  const isStarted = activeUntil !== null;
  return (
    <Group gap="sm">
      {pausedAt !== null && <Button onClick={() => setAction('resume')}>Resume</Button>}
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default">Actions</Button>
        </Menu.Target>
        <Menu.Dropdown>
          {isStarted && <Menu.Item onClick={termsDialog.open}>Change plan or price…</Menu.Item>}
          {isStarted && pausedAt === null && <Menu.Item onClick={() => setAction('pause')}>Pause…</Menu.Item>}
          {status === 'active' && <Menu.Item onClick={() => setAction('skip')}>Skip next payment…</Menu.Item>}
          <Menu.Item color="red" onClick={() => setAction('cancel')}>
            Cancel subscription…
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <TermsDialog
        subscription={subscription}
        opened={isChangingTerms}
        onClose={termsDialog.close}
        onChanged={onChanged}
      />
      <ActionDialogs
        id={subscription.id}
        action={action}
        onClose={() => setAction(undefined)}
        onChanged={onChanged}
      />
    </Group>
  );
}

const emailHint = 'If the plan sends emails, the customer is informed.';

function ActionDialogs(props: {
  id: string;
  action: ConfirmedAction | undefined;
  onClose: () => void;
  onChanged: () => void;
}) {
  const { id, action, onClose, onChanged } = props;
  const pause = useMutationAction(pauseSubscriptionMutation, onChanged);
  const resume = useMutationAction(resumeSubscriptionMutation, onChanged);
  const skip = useMutationAction(skipPaymentMutation, onChanged);
  const cancel = useMutationAction(cancelSubscriptionMutation, onChanged);
  const variables = { input: { id } };
  return (
    <>
      <ConfirmDialog
        title="Pause this subscription?"
        confirmLabel="Pause"
        opened={action === 'pause'}
        onClose={onClose}
        onConfirm={() => pause(variables)}
      >
        <Text size="sm">
          Its open invoice will be voided, and no payment is due until you resume it. The customer gets the
          remaining paid time back then. {emailHint}
        </Text>
      </ConfirmDialog>
      <ConfirmDialog
        title="Resume this subscription?"
        confirmLabel="Resume"
        opened={action === 'resume'}
        onClose={onClose}
        onConfirm={() => resume(variables)}
      >
        <Text size="sm">
          The paid time that was left at the pause starts again now. If none was left, the next payment is due
          immediately. {emailHint}
        </Text>
      </ConfirmDialog>
      <ConfirmDialog
        title="Skip the next payment?"
        confirmLabel="Skip payment"
        opened={action === 'skip'}
        onClose={onClose}
        onConfirm={() => skip(variables)}
      >
        <Text size="sm">
          The customer gets the next billing period for free. An open invoice for it will be voided.{' '}
          {emailHint}
        </Text>
      </ConfirmDialog>
      <ConfirmDialog
        title="Cancel this subscription?"
        confirmLabel="Cancel subscription"
        cancelLabel="Keep subscription"
        isDanger
        opened={action === 'cancel'}
        onClose={onClose}
        onConfirm={() => cancel(variables)}
      >
        <Text size="sm">
          Its open invoice will be voided and its open charge cancelled. Nothing is refunded; the customer
          keeps access until the end of the period they’ve paid for. This cannot be undone.
        </Text>
      </ConfirmDialog>
    </>
  );
}
