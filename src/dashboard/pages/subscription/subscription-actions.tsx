import { Button, Group, Menu, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { fillText } from '../../../language/fill-text.ts';
import { ConfirmDialog } from '../../components/confirm-button.tsx';
import { isMailDelivered } from '../../components/mail-notice.tsx';
import { useMutationAction } from '../../components/use-mutation-action.ts';
import { formatMoment } from '../../format/moment.ts';
import { t } from '../../language/texts.ts';
import { useHasPermission } from '../../viewer.ts';
import { customerEmailHint } from './customer-email-hint.ts';
import { PauseDialog } from './pause-dialog.tsx';
import {
  cancelSubscriptionMutation,
  replaceLinksMutation,
  resumeSubscriptionMutation,
  type SubscriptionDetails,
  skipPaymentMutation,
} from './subscription-query.ts';
import { TermsDialog } from './terms-dialog.tsx';

type SubscriptionActionsProps = {
  subscription: SubscriptionDetails;
  onChanged: () => void;
  onLinksReplaced: () => void;
};
type ConfirmedAction = 'pause' | 'resume' | 'skip' | 'replace' | 'cancel';

export function SubscriptionActions(props: SubscriptionActionsProps) {
  const { subscription, onChanged } = props;
  const canWrite = useHasPermission('write');
  const [action, setAction] = useState<ConfirmedAction>();
  const [isChangingTerms, termsDialog] = useDisclosure();
  const { status, activeUntil, pausedAt } = subscription;
  const isOngoing = status === 'active' || status === 'inactive';
  if (!canWrite) return null;
  const isChangeable = isOngoing && activeUntil !== null;
  return (
    <Group gap="sm">
      {pausedAt !== null && <Button onClick={() => setAction('resume')}>{t.subscription.resume}</Button>}
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default">{t.common.actions}</Button>
        </Menu.Target>
        <Menu.Dropdown>
          {isChangeable && (
            <Menu.Item onClick={termsDialog.open}>{t.subscription.changePlanOrPriceMenu}</Menu.Item>
          )}
          {isChangeable && pausedAt === null && (
            <Menu.Item onClick={() => setAction('pause')}>{t.subscription.pauseMenu}</Menu.Item>
          )}
          {status === 'active' && (
            <Menu.Item onClick={() => setAction('skip')}>{t.subscription.skipNextPayment}</Menu.Item>
          )}
          <Menu.Item onClick={() => setAction('replace')}>{t.subscription.replaceLinksMenu}</Menu.Item>
          {isOngoing && (
            <Menu.Item color="red" onClick={() => setAction('cancel')}>
              {t.subscription.cancelSubscriptionMenu}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      <TermsDialog
        subscription={subscription}
        opened={isChangingTerms}
        onClose={termsDialog.close}
        onChanged={onChanged}
      />
      <ActionDialogs {...props} action={action} onClose={() => setAction(undefined)} />
    </Group>
  );
}

function ActionDialogs(
  props: SubscriptionActionsProps & { action: ConfirmedAction | undefined; onClose: () => void },
) {
  const { subscription, action, onClose, onChanged, onLinksReplaced } = props;
  const { id, email, nextPaymentAt } = subscription;
  const resume = useMutationAction(resumeSubscriptionMutation, onChanged);
  const skip = useMutationAction(skipPaymentMutation, onChanged);
  const replace = useMutationAction(replaceLinksMutation, () => {
    onChanged();
    onLinksReplaced();
  });
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
        <Text size="sm">{fillText(t.subscription.thePaidTimeThat, { emailHint: customerEmailHint })}</Text>
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
            emailHint: customerEmailHint,
          })}
        </Text>
      </ConfirmDialog>
      <ConfirmDialog
        title={t.subscription.replaceTheLinks}
        confirmLabel={t.subscription.replaceLinks}
        opened={action === 'replace'}
        onClose={onClose}
        onConfirm={() => replace(variables)}
      >
        <Text size="sm">
          {t.subscription.earlierLinksWillStop}{' '}
          {isMailDelivered && email !== null
            ? t.subscription.newLinkIsEmailed
            : t.subscription.copyTheNewLink}
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
