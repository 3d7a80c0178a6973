import { Alert, Button, Group, Progress, Select, Stack, Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useMutation, useQuery } from 'urql';
import { useLocation, useSearchParams } from 'wouter';
import { refusalOf } from '../../graphql/refusal.ts';
import { Empty } from '../../parts/empty.tsx';
import { Link } from '../../parts/link.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { Refused } from '../../parts/refused.tsx';
import { Section } from '../../parts/section.tsx';
import { useMode } from '../../use-mode.ts';
import { useMay } from '../../viewer.ts';
import { useMethodName } from '../payment-methods.ts';
import { FileDrop } from './file-drop.tsx';
import {
  accountsQuery,
  importMutation,
  type Mapping,
  mappingInput,
  type Preview,
  previewMutation,
} from './import-query.ts';
import { MappingForm } from './mapping-form.tsx';
import { StatementPreview } from './statement-preview.tsx';
import { uploadFile } from './upload-file.ts';

/** From a file to its import: the account, the file, how it would be read, and on. */
export default function NewStatementPage() {
  const mayTransfer = useMay('transfers');
  const [{ data, error }, reload] = useQuery({ query: accountsQuery });
  return (
    <>
      <Link to="/statements" size="sm">
        ‹ Statements
      </Link>
      <PageHeader
        title="Import a statement"
        text="Look at how it would be read before anything is imported."
      />
      <Loaded data={data} error={error} onRetry={() => reload({ requestPolicy: 'network-only' })}>
        {({ receivingAccounts: { nodes } }) =>
          !mayTransfer ? (
            <Empty title="For owners">Only an owner imports statements.</Empty>
          ) : nodes.length === 0 ? (
            <Section title="Account">
              <Empty title="No receiving accounts yet">
                A statement is of one of your <Link to="/receiving-accounts">receiving accounts</Link>: add it
                first.
              </Empty>
            </Section>
          ) : (
            <Import accounts={nodes} />
          )
        }
      </Loaded>
    </>
  );
}

type Account = {
  id: string;
  method: string;
  account: string;
  bank: string;
  currency: string;
  status: string;
};

function Import({ accounts }: { accounts: readonly Account[] }) {
  const [params] = useSearchParams();
  const methodName = useMethodName();
  // A file on the wrong account is not easily put right: with several, a person says which.
  const only = accounts.length === 1 ? accounts[0]?.id : undefined;
  const [accountId, setAccountId] = useState<string | null>(params.get('account') ?? only ?? null);
  const sending = useSending();
  const looking = usePreview(accountId, sending.uploadId);
  const importing = useImport(accountId, sending.uploadId);
  const refusal = sending.refusal ?? importing.refusal ?? looking.refusal;
  const { preview } = looking;
  return (
    <Stack gap="lg">
      <Section title="File">
        <Stack>
          <Select
            label="Account"
            description="Whose statement it is"
            data={accounts.map(({ id, method, account, currency, status }) => ({
              value: id,
              label: `${methodName(method)} · ${account} · ${currency}${status === 'retired' ? ' · retired' : ''}`,
            }))}
            value={accountId}
            onChange={setAccountId}
            allowDeselect={false}
            placeholder="Choose the account"
            searchable={accounts.length > 8}
            maw={520}
          />
          <FileDrop file={sending.file} onFile={sending.send} />
          {sending.share !== undefined && (
            <Progress value={sending.share * 100} aria-label="Progress of the upload" animated />
          )}
          {accountId === null && sending.uploadId !== undefined && (
            <Alert color="yellow" variant="light" role="alert">
              Choose the account it is of: then you see what stands in it.
            </Alert>
          )}
          <Refused text={refusal} />
        </Stack>
      </Section>
      {preview?.mapping && (
        <Section title="How it is read">
          <MappingForm
            key={`${sending.uploadId} ${accountId} ${preview.mappingFrom}`}
            preview={preview}
            faults={looking.faults}
            busy={looking.fetching}
            onTry={looking.look}
          />
        </Section>
      )}
      {preview && (
        <Section title="What stands in it" flush>
          <StatementPreview preview={preview} />
          <Group justify="space-between" px="lg" pb="lg" pt="sm">
            <Text size="sm" c="var(--causeway-muted)">
              {summaryOf(preview)}
            </Text>
            <Button
              onClick={() => importing.start(preview.mapping ? mappingInput(preview.mapping) : undefined)}
              loading={importing.fetching}
              disabled={preview.faults.length > 0}
            >
              Import
            </Button>
          </Group>
        </Section>
      )}
    </Stack>
  );
}

function summaryOf({ faults, entries, isWhole }: Preview): string {
  if (faults.length > 0) return 'With a fault in it nothing of the file is imported.';
  const count = entries.toLocaleString();
  return isWhole ? `${count} movements.` : `${count} movements read so far; there are more.`;
}

/** The file on its way to the server. Another choice stops the one before. */
function useSending() {
  const { mode } = useMode();
  const [file, setFile] = useState<File>();
  const [share, setShare] = useState<number>();
  const [uploadId, setUploadId] = useState<string>();
  const [refusal, setRefusal] = useState<string>();
  const controller = useRef<AbortController>(undefined);
  const send = async (chosen: File) => {
    controller.current?.abort();
    const own = new AbortController();
    controller.current = own;
    setFile(chosen);
    setUploadId(undefined);
    setRefusal(undefined);
    setShare(0);
    const onProgress = (done: number) => !own.signal.aborted && setShare(done);
    const result = await uploadFile(chosen, { mode, onProgress, signal: own.signal });
    if (own.signal.aborted) return;
    setShare(undefined);
    if ('uploadId' in result) setUploadId(result.uploadId);
    else setRefusal(result.refusal);
  };
  return { file, share, uploadId, refusal, send };
}

/** How the file would be read, anew for another account or mapping. */
function usePreview(accountId: string | null, uploadId: string | undefined) {
  const [{ fetching }, ask] = useMutation(previewMutation);
  const [preview, setPreview] = useState<Preview>();
  const [refusal, setRefusal] = useState<string>();
  const [faults, setFaults] = useState<Record<string, string>>({});
  const look = async (mapping?: Mapping) => {
    if (accountId === null || uploadId === undefined) return;
    const input = { uploadId, receivingAccountId: accountId, ...(mapping && { mapping }) };
    const outcome = await ask({ input });
    const result = outcome.data?.previewStatement;
    const wrong = result?.__typename === 'InvalidRequestError' ? result.errors : [];
    setFaults(Object.fromEntries(wrong.map(({ path, message }) => [path.replace('/mapping/', ''), message])));
    setRefusal(refusalOf(outcome));
    if (result?.__typename === 'PreviewStatementSuccess') setPreview(result.preview);
  };
  const latest = useRef(look);
  latest.current = look;
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is shown is of these two
  useEffect(() => {
    setPreview(undefined);
    setRefusal(undefined);
    void latest.current();
  }, [accountId, uploadId]);
  return { preview, refusal, faults, fetching, look };
}

function useImport(accountId: string | null, uploadId: string | undefined) {
  const [{ fetching }, ask] = useMutation(importMutation);
  const [refusal, setRefusal] = useState<string>();
  const [, navigate] = useLocation();
  const start = async (mapping?: Mapping) => {
    if (accountId === null || uploadId === undefined) return;
    const input = { uploadId, receivingAccountId: accountId, ...(mapping && { mapping }) };
    const outcome = await ask({ input });
    setRefusal(refusalOf(outcome));
    const result = outcome.data?.importStatement;
    if (result?.__typename === 'ImportStatementSuccess') navigate(`/statements/${result.statement.id}`);
  };
  return { refusal, fetching, start };
}
