import { Button, Group, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { useMutation } from 'urql';
import { amountColumn, madeColumn } from '../../components/columns.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { Form, Submit, textOf } from '../../components/form.tsx';
import { Link } from '../../components/link.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { MadeLink } from '../../components/made-link.tsx';
import { MakeDialog } from '../../components/make-dialog.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Paged } from '../../components/paged.tsx';
import { Quiet } from '../../components/quiet.tsx';
import { Section } from '../../components/section.tsx';
import { ShareLink } from '../../components/share-link.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { useCursor } from '../../components/use-cursor.ts';
import { useOutcome } from '../../components/use-outcome.ts';
import { payerText } from '../../format/payer.ts';
import { useLive } from '../../graphql/use-live.ts';
import { useRead } from '../../graphql/use-read.ts';
import { useMay } from '../../viewer.ts';
import { chargesUpdated } from '../charge/charge-row.ts';
import { firstChoices, readTerms } from '../checkout-terms/read-terms.ts';
import { TermsFields, termsFields } from '../checkout-terms/terms-fields.tsx';
import { isOpen, type SessionRow } from './session-row.ts';
import { createSessionMutation, sessionsQuery } from './sessions-query.ts';

/** The payments that are started for one customer each, by the merchant's shop over the API or here by hand. */
export default function SessionsPage() {
  const cursor = useCursor();
  const mayWrite = useMay('write');
  const [opened, { open, close }] = useDisclosure();
  const read = useRead(sessionsQuery, cursor.variables);
  useLive(chargesUpdated, {}, read.refresh);
  return (
    <>
      <PageHeader
        title="Sessions"
        text="A session is one payment by one customer. Your shop creates sessions over the API; you can also create one here."
      >
        {mayWrite && <Button onClick={open}>New session</Button>}
      </PageHeader>
      <NewSession opened={opened} onClose={close} onMade={read.refresh} />
      <Section title="All sessions" flush>
        <Loaded read={read} lines={6}>
          {({ sessions }) => (
            <Paged
              page={sessions}
              cursor={cursor}
              empty={
                <Empty title="No sessions yet">
                  Your shop creates one for each purchase with its API key. You can also create one here and
                  send its link yourself.
                </Empty>
              }
            >
              {(rows) => <SessionTable sessions={rows} />}
            </Paged>
          )}
        </Loaded>
      </Section>
    </>
  );
}

const columns: Column<SessionRow>[] = [
  {
    title: 'Description',
    cell: (session) => (
      <Link to={`/sessions/${session.id}`} fw={600} lineClamp={2}>
        {purposeText(session)}
      </Link>
    ),
  },
  { title: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
  amountColumn(),
  madeColumn(),
  { title: 'Actions', end: true, buttons: true, cell: (session) => <WayOn session={session} /> },
];

function SessionTable({ sessions }: { sessions: readonly SessionRow[] }) {
  return <DataTable label="Sessions" columns={columns} rows={sessions} />;
}

/** Its address while it can be paid by; afterwards its charge. */
function WayOn({ session }: { session: SessionRow }) {
  if (session.charge) return <Link to={`/charges/${session.charge.id}`}>View charge</Link>;
  if (!isOpen(session)) return null;
  return (
    <Group gap={6} justify="flex-end" wrap="nowrap">
      <ShareLink url={session.checkoutUrl} />
    </Group>
  );
}

/** What or whom it is for, by the best name there is. */
function purposeText({ orders, customer }: SessionRow): string {
  const names = orders.map(({ name }) => name).filter(Boolean);
  if (names.length > 0) return names.join(', ');
  return customer ? payerText(customer) : 'Untitled session';
}

const fields = [...termsFields, 'notifyUrl'];

/** The dialog that makes a session, and then shows the address to send to its customer. */
function NewSession(props: { opened: boolean; onClose: () => void; onMade: () => void }) {
  return (
    <MakeDialog<string>
      {...props}
      title="New session"
      madeTitle="The session is ready"
      size="lg"
      form={(made) => <SessionForm onMade={made} />}
    >
      {(url, close) => <MadeLink url={url} onClose={close} />}
    </MakeDialog>
  );
}

function SessionForm({ onMade }: { onMade: (url: string) => void }) {
  const [{ fetching }, create] = useMutation(createSessionMutation);
  const [choices, setChoices] = useState(firstChoices);
  const outcome = useOutcome(fields);

  const submit = async (form: FormData) => {
    const terms = outcome.read(() => readTerms(form, choices));
    if (!terms) return;
    const { methods } = choices;
    const notifyUrl = textOf(form, 'notifyUrl');
    const answer = await create({
      input: {
        ...terms,
        ...(methods.length > 0 && { methods }),
        ...(notifyUrl && { notifyUrl }),
      },
    });
    outcome.take(answer);
    const result = answer.data?.createSession;
    if (result?.__typename === 'CreateSessionSuccess') onMade(result.session.checkoutUrl);
  };

  return (
    <Form outcome={outcome} onSubmit={submit}>
      <TermsFields
        choices={choices}
        choose={(change) => setChoices((current) => ({ ...current, ...change }))}
        faults={outcome.faults}
      />
      <TextInput
        label="Callback URL"
        description="Notified when the session is paid"
        name="notifyUrl"
        type="url"
        error={outcome.faults.notifyUrl}
      />
      <Submit isBusy={fetching} beside={<Quiet>For one payment; expires in 7 days.</Quiet>}>
        Create session
      </Submit>
    </Form>
  );
}
