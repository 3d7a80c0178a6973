import { Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useMutation } from 'urql';
import { fillText } from '../../../language/fill-text.ts';
import { Dialog } from '../../components/dialog.tsx';
import { Form, getText, SubmitButton } from '../../components/form.tsx';
import { useFormState } from '../../components/use-form-state.ts';
import { nextDay, today } from '../../format/days.ts';
import { formatMoment, getDisplayTimeZone, startOfDay } from '../../format/moment.ts';
import { graphql } from '../../graphql/graphql.ts';
import { serverNow } from '../../graphql/server-clock.ts';
import { useFreshQuery } from '../../graphql/use-query-state.ts';
import { t } from '../../language/texts.ts';
import { customerEmailHint } from './customer-email-hint.ts';
import { pauseSubscriptionMutation, type SubscriptionDetails } from './subscription-query.ts';
import { addPaidTime, formatPaymentAfterResuming, getRemainingPaidMs } from './subscription-row.ts';

type PauseDialogProps = {
  subscription: SubscriptionDetails;
  opened: boolean;
  onClose: () => void;
  onChanged: () => void;
};

/** The pause lasts until a day, or until the subscription is resumed. */
export function PauseDialog({ subscription, opened, onClose, onChanged }: PauseDialogProps) {
  const finish = () => {
    onClose();
    onChanged();
  };
  return (
    <Dialog opened={opened} onClose={onClose} title={t.subscription.pauseThisSubscription}>
      <PauseForm subscription={subscription} onPaused={finish} />
    </Dialog>
  );
}

function PauseForm(props: { subscription: SubscriptionDetails; onPaused: () => void }) {
  const { subscription, onPaused } = props;
  const { id } = subscription;
  const [resumesOn, setResumesOn] = useState('');
  const [{ fetching }, pause] = useMutation(pauseSubscriptionMutation);
  const formState = useFormState(['resumesAt']);
  const { data } = useFreshQuery(sandboxTimeQuery);
  const now = data?.testClock ? new Date(data.testClock.now) : serverNow();
  const submit = async (form: FormData) => {
    const resumesAt = startOfDay(getText(form, 'resumesOn'))?.toISOString() ?? null;
    if (formState.handleResult(await pause({ input: { id, resumesAt } }))) onPaused();
  };
  return (
    <Form state={formState} onSubmit={submit}>
      <Text size="sm">{fillText(t.subscription.itsOpenInvoiceWill, { emailHint: customerEmailHint })}</Text>
      <TextInput
        label={t.subscription.resumeOn}
        description={t.subscription.leaveEmptyToResume}
        name="resumesOn"
        type="date"
        min={nextDay(today(getDisplayTimeZone(), now))}
        value={resumesOn}
        onChange={(event) => setResumesOn(event.currentTarget.value)}
        error={formState.fieldErrors.resumesAt}
        data-autofocus
      />
      <Text size="sm" fw={600} role="status">
        {fillText(t.subscription.nextPaymentWhen, {
          when: formatPaymentAfterPause(resumesOn, getRemainingPaidMs(subscription, now.toISOString())),
        })}
      </Text>
      <SubmitButton isBusy={fetching}>{t.subscription.pause}</SubmitButton>
    </Form>
  );
}

function formatPaymentAfterPause(resumesOn: string, paidMs: number): string {
  const resumesAt = startOfDay(resumesOn)?.toISOString();
  return resumesAt === undefined
    ? formatPaymentAfterResuming(paidMs)
    : formatMoment(addPaidTime(resumesAt, paidMs), 'day');
}

/** Loads the time of the sandbox; null in live mode, which has no test clock. */
const sandboxTimeQuery = graphql(`
  query SandboxTime {
    testClock {
      id
      now
    }
  }
`);
