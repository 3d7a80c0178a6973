import { Button, Group, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from 'urql';
import { amountColumn, createdColumn } from '../../components/columns.tsx';
import { CreateDialog } from '../../components/create-dialog.tsx';
import { CreatedLink } from '../../components/created-link.tsx';
import { DataTable, type TableColumn } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Form, getText, SubmitButton } from '../../components/form.tsx';
import { Link } from '../../components/link.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Muted } from '../../components/muted.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Paged } from '../../components/paged.tsx';
import { Section } from '../../components/section.tsx';
import { ShareLink } from '../../components/share-link.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { useCursor } from '../../components/use-cursor.ts';
import { useFormState } from '../../components/use-form-state.ts';
import { formatList } from '../../format/list.ts';
import { formatPayer } from '../../format/payer.ts';
import { useLiveUpdates } from '../../graphql/use-live-updates.ts';
import { useCachedQuery } from '../../graphql/use-query-state.ts';
import { t } from '../../language/texts.ts';
import { useHasPermission } from '../../viewer.ts';
import { chargesUpdated } from '../charge/charge-row.ts';
import { initialChoices, readTerms } from '../checkout-terms/read-terms.ts';
import { TermsFields, termsFieldPaths } from '../checkout-terms/terms-fields.tsx';
import { usePriceChoices } from '../currency-select.tsx';
import { isOpen, type SessionRow } from './session-row.ts';
import { createSessionMutation, sessionsQuery } from './sessions-query.ts';

export default function SessionsPage() {
  const cursor = useCursor();
  const canWrite = useHasPermission('write');
  const [opened, { open, close }] = useDisclosure();
  const query = useCachedQuery(sessionsQuery, cursor.variables);
  useLiveUpdates(chargesUpdated, {}, query.refresh);
  return (
    <>
      <PageHeader title={t.common.sessions} text={t.session.aSessionIsOne}>
        {canWrite && <Button onClick={open}>{t.session.newSession}</Button>}
      </PageHeader>
      <NewSession opened={opened} onClose={close} onCreated={query.refresh} />
      <Section title={t.session.allSessions} isFlush>
        <Loaded query={query} lines={6}>
          {({ sessions }) => (
            <Paged
              page={sessions}
              cursor={cursor}
              empty={<EmptyState title={t.session.noSessionsYet}>{t.session.yourShopCreatesOne}</EmptyState>}
            >
              {(rows) => <SessionTable sessions={rows} />}
            </Paged>
          )}
        </Loaded>
      </Section>
    </>
  );
}

const columns: TableColumn<SessionRow>[] = [
  {
    title: t.session.description,
    cell: (session) => (
      <Link to={`/sessions/${session.id}`} fw={600} lineClamp={2}>
        {formatPurpose(session)}
      </Link>
    ),
  },
  { title: t.common.status, cell: ({ status }) => <StatusBadge status={status} /> },
  amountColumn(),
  createdColumn(),
  {
    title: t.common.actions,
    isEndAligned: true,
    hasButtons: true,
    cell: (session) => <SessionAction session={session} />,
  },
];

function SessionTable({ sessions }: { sessions: readonly SessionRow[] }) {
  return <DataTable label={t.common.sessions} columns={columns} rows={sessions} />;
}

function SessionAction({ session }: { session: SessionRow }) {
  if (session.charge) return <Link to={`/charges/${session.charge.id}`}>{t.session.viewCharge}</Link>;
  if (!isOpen(session)) return null;
  return (
    <Group gap={6} justify="flex-end" wrap="nowrap">
      <ShareLink url={session.checkoutUrl} />
    </Group>
  );
}

/** Returns the names of the items or, if there are none, the customer. */
function formatPurpose({ orders, customer }: SessionRow): string {
  const names = orders.flatMap(({ name }) => name || []);
  if (names.length > 0) return formatList(names);
  return customer ? formatPayer(customer) : t.session.untitledSession;
}

const fieldPaths = [...termsFieldPaths, 'notifyUrl'];

function NewSession(props: { opened: boolean; onClose: () => void; onCreated: () => void }) {
  return (
    <CreateDialog<string>
      {...props}
      title={t.session.newSession}
      createdTitle={t.session.theSessionIsReady}
      size="lg"
      form={(onCreated) => <SessionForm onCreated={onCreated} />}
    >
      {(url, close) => <CreatedLink url={url} onClose={close} />}
    </CreateDialog>
  );
}

function SessionForm({ onCreated }: { onCreated: (url: string) => void }) {
  const [{ fetching }, create] = useMutation(createSessionMutation);
  const [choices, updateChoices] = usePriceChoices(initialChoices);
  const formState = useFormState(fieldPaths);

  const submit = async (form: FormData) => {
    const terms = formState.read(() => readTerms(form, choices));
    if (!terms) return;
    const { methods } = choices;
    const notifyUrl = getText(form, 'notifyUrl');
    const response = await create({
      input: {
        ...terms,
        ...(methods.length > 0 && { methods }),
        ...(notifyUrl && { notifyUrl }),
      },
    });
    formState.handleResult(response);
    const result = response.data?.createSession;
    if (result?.__typename === 'CreateSessionSuccess') onCreated(result.session.checkoutUrl);
  };

  return (
    <Form state={formState} onSubmit={submit}>
      <TermsFields choices={choices} onChange={updateChoices} fieldErrors={formState.fieldErrors}>
        <TextInput
          label={t.session.callbackUrl}
          description={t.session.notifiedWhenTheSession}
          name="notifyUrl"
          type="url"
          error={formState.fieldErrors.notifyUrl}
        />
      </TermsFields>
      <SubmitButton isBusy={fetching} aside={<Muted>{t.session.forOnePaymentExpires}</Muted>}>
        {t.session.createSession}
      </SubmitButton>
    </Form>
  );
}
