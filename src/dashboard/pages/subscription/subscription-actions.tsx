import { Button, Group, Menu, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { fillText } from '../../../language/fill-text.ts';
import { ConfirmDialog } from '../../components/confirm-button.tsx';
import { useMutationAction } from '../../components/use-mutation-action.ts';
import { formatMoment } from '../../format/moment.ts';
import { t } from '../../language/texts.ts';
import { useHasPermission } from '../../viewer.ts';
import { PauseDialog } from './pause-dialog.tsx';
import {
  cancelSubscriptionMutation,
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
      {pausedAt !== null && <Button onClick={() => setAction('resume')}>{t.subscription.resume}</Button>}
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default">{t.common.actions}</Button>
        </Menu.Target>
        <Menu.Dropdown>
          {isStarted && (
            <Menu.Item onClick={termsDialog.open}>{t.subscription.changePlanOrPriceMenu}</Menu.Item>
          )}
          {isStarted && pausedAt === null && (
            <Menu.Item onClick={() => setAction('pause')}>{t.subscription.pauseMenu}</Menu.Item>
          )}
          {status === 'active' && (
            <Menu.Item onClick={() => setAction('skip')}>{t.subscription.skipNextPayment}</Menu.Item>
          )}
          <Menu.Item color="red" onClick={() => setAction('cancel')}>
            {t.subscription.cancelSubscriptionMenu}
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
        subscription={subscription}
        action={action}
        onClose={() => setAction(undefined)}
        onChanged={onChanged}
      />
    </Group>
  );
}

const emailHint = t.subscription.ifThePlanSends;

function ActionDialogs(props: {
  subscription: SubscriptionDetails;
  action: ConfirmedAction | undefined;
  onClose: () => void;
  onChanged: () => void;
}) {
  const { subscription, action, onClose, onChanged } = props;
  const { id, nextPaymentAt } = subscription;
  const resume = useMutationAction(resumeSubscriptionMutation, onChanged);
  const skip = useMutationAction(skipPaymentMutation, onChanged);
  const cancel = useMutationAction(cancelSubscriptionMutation, onChanged);
  const variables = { input: { id } };
  return (
    <>
      <PauseDialog
        subscription={subscription}
        opened={action === 'pause'}
        onClose={onClose}
        onChanged={onChanged}
      />
      <ConfirmDialog
        title={t.subscription.resumeThisSubscription}
        confirmLabel={t.subscription.resume}
        opened={action === 'resume'}
        onClose={onClose}
        onConfirm={() => resume(variables)}
      >
        <Text size="sm">{fillText(t.subscription.thePaidTimeThat, { emailHint })}</Text>
      </ConfirmDialog>
      <ConfirmDialog
        title={t.subscription.skipTheNextPayment}
        confirmLabel={t.subscription.skipPayment}
        opened={action === 'skip'}
        onClose={onClose}
        onConfirm={() => skip(variables)}
      >
        <Text size="sm">
          {fillText(t.subscription.thePaymentOfWillNot, {
            date: nextPaymentAt === null ? '' : formatMoment(nextPaymentAt, 'day'),
            emailHint,
          })}
        </Text>
      </ConfirmDialog>
      <ConfirmDialog
        title={t.subscription.cancelThisSubscription}
        confirmLabel={t.subscription.cancelSubscription}
        cancelLabel={t.subscription.keepSubscription}
        isDanger
        opened={action === 'cancel'}
        onClose={onClose}
        onConfirm={() => cancel(variables)}
      >
        <Text size="sm">{t.subscription.itsOpenInvoiceWillBe}</Text>
      </ConfirmDialog>
    </>
  );
}
