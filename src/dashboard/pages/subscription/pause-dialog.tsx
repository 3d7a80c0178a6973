import { Text, TextInput } from '@mantine/core';
import { useMutation } from 'urql';
import { fillText } from '../../../language/fill-text.ts';
import { Dialog } from '../../components/dialog.tsx';
import { Form, getText, SubmitButton } from '../../components/form.tsx';
import { useFormState } from '../../components/use-form-state.ts';
import { nextDay, today } from '../../format/days.ts';
import { getDisplayTimeZone, startOfDay } from '../../format/moment.ts';
import { graphql } from '../../graphql/graphql.ts';
import { serverNow } from '../../graphql/server-clock.ts';
import { useFreshQuery } from '../../graphql/use-query-state.ts';
import { t } from '../../language/texts.ts';
import { pauseSubscriptionMutation } from './subscription-query.ts';

type PauseDialogProps = { id: string; opened: boolean; onClose: () => void; onChanged: () => void };

/** The pause lasts until a day, or until the subscription is resumed. */
export function PauseDialog({ id, opened, onClose, onChanged }: PauseDialogProps) {
  const finish = () => {
    onClose();
    onChanged();
  };
  return (
    <Dialog opened={opened} onClose={onClose} title={t.subscription.pauseThisSubscription}>
      <PauseForm id={id} onPaused={finish} />
    </Dialog>
  );
}

function PauseForm({ id, onPaused }: { id: string; onPaused: () => void }) {
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
      <Text size="sm">
        {fillText(t.subscription.itsOpenInvoiceWill, { emailHint: t.subscription.ifThePlanSends })}
      </Text>
      <TextInput
        label={t.subscription.resumeOn}
        description={t.subscription.leaveEmptyToResume}
        name="resumesOn"
        type="date"
        min={nextDay(today(getDisplayTimeZone(), now))}
        error={formState.fieldErrors.resumesAt}
        data-autofocus
      />
      <SubmitButton isBusy={fetching}>{t.subscription.pause}</SubmitButton>
    </Form>
  );
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
