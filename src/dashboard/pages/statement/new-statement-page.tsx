import { Alert, Button, Group, Progress, Select, Stack, Text } from '@mantine/core';
import { type DragEvent, useState } from 'react';
import { useSearchParams } from 'wouter';
import { BackLink } from '../../components/back-link.tsx';
import { Empty } from '../../components/empty.tsx';
import { Link } from '../../components/link.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { longChoice } from '../../components/long-choice.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { Refused } from '../../components/refused.tsx';
import { Section } from '../../components/section.tsx';
import { counted } from '../../format/count.ts';
import { sizeText } from '../../format/size.ts';
import { useMay } from '../../viewer.ts';
import { useAccountNames } from '../receiving-account/account-names.ts';
import classes from './file-drop.module.css';
import { mappingInput, type Preview } from './import-query.ts';
import { useMappingDraft } from './mapping-draft.ts';
import { MappingForm } from './mapping-form.tsx';
import { StatementPreview } from './statement-preview.tsx';
import { useImport, usePreview, useSending } from './use-import.ts';

/** From a file to its import: the account, the file, how it would be read, and on. */
export default function NewStatementPage() {
  const mayTransfer = useMay('transfers');
  const read = useAccountNames();
  return (
    <>
      <BackLink to="/statements">Statements</BackLink>
      <PageHeader title="Import a statement" text="Preview the file before you import it." />
      {mayTransfer ? (
        <Loaded read={read}>
          {(accounts) => (accounts.length > 0 ? <Import accounts={accounts} /> : <NoAccounts />)}
        </Loaded>
      ) : (
        <Empty title="Owners only">Only owners can import statements.</Empty>
      )}
    </>
  );
}

function NoAccounts() {
  return (
    <Section title="Account">
      <Empty title="No receiving accounts yet">
        Each statement belongs to one of your <Link to="/receiving-accounts">receiving accounts</Link>. Add
        one first.
      </Empty>
    </Section>
  );
}

function Import({ accounts }: { accounts: readonly { value: string; label: string }[] }) {
  const [params] = useSearchParams();
  // A file on the wrong account is not easily put right: with several, a person says which.
  const only = accounts.length === 1 ? accounts[0]?.value : undefined;
  const [accountId, setAccountId] = useState<string | null>(params.get('account') ?? only ?? null);
  const sending = useSending();
  const { uploadId } = sending;
  const file =
    accountId === null || uploadId === undefined ? undefined : { uploadId, receivingAccountId: accountId };
  const looking = usePreview(file);
  const importing = useImport(file);
  const { preview } = looking;
  const reading = `${uploadId} ${accountId} ${preview?.mappingFrom}`;
  const draft = useMappingDraft(reading, looking);
  return (
    <Stack gap="lg">
      <Section title="File">
        <Stack>
          <Select
            label="Account"
            description="Account this statement belongs to"
            data={accounts}
            value={accountId}
            onChange={setAccountId}
            allowDeselect={false}
            placeholder="Choose the account"
            {...(accounts.length > 8 && longChoice)}
            maw={520}
          />
          <FileDrop file={sending.file} onFile={sending.send} />
          {sending.share !== undefined && (
            <Progress value={sending.share * 100} aria-label="Progress of the upload" animated />
          )}
          {accountId === null && uploadId !== undefined && (
            <Alert color="amber" variant="light" role="alert">
              Choose an account to preview the file.
            </Alert>
          )}
          <Refused text={sending.refusal ?? importing.refusal ?? looking.refusal} />
        </Stack>
      </Section>
      {preview?.mapping && (
        <Section title="Format">
          <MappingForm
            key={reading}
            preview={preview}
            mapping={draft.mapping}
            onChange={draft.change}
            faults={looking.faults}
            isBusy={looking.fetching}
            onTry={looking.look}
          />
        </Section>
      )}
      {preview && (
        <Section title="Preview" flush>
          <StatementPreview preview={preview} />
          <Group justify="space-between" px="lg" pb="lg" pt="sm">
            <Text size="sm" c="var(--causeway-muted)">
              {draft.isRead ? summaryOf(preview) : 'The format changed. Update the preview before importing.'}
            </Text>
            <Button
              onClick={() => importing.start(preview.mapping ? mappingInput(preview.mapping) : undefined)}
              loading={importing.fetching}
              disabled={preview.faults.length > 0 || !draft.isRead}
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
  if (faults.length > 0) return 'If any row is invalid, nothing is imported.';
  const count = counted(entries, 'entry', 'entries');
  return isWhole ? `${count}.` : `${count} read so far; there are more.`;
}

/** Where a file is dropped or picked; a real file input beneath, so the keyboard reaches it. */
function FileDrop({ file, onFile }: { file: File | undefined; onFile: (file: File) => void }) {
  const [isOver, setOver] = useState(false);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const [dropped] = event.dataTransfer.files;
    if (dropped) onFile(dropped);
  };
  return (
    <label
      className={classes.drop}
      data-over={isOver || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <input
        type="file"
        className={classes.input}
        aria-label="Statement file"
        onChange={({ currentTarget }) => {
          const [picked] = currentTarget.files ?? [];
          if (picked) onFile(picked);
          // The same file again, mended meanwhile, is another choice.
          currentTarget.value = '';
        }}
      />
      <Text component="span" display="block" fw={600}>
        {file ? file.name : 'Drop a file here, or choose one'}
      </Text>
      <Text component="span" display="block" size="sm" c="var(--causeway-muted)">
        {file
          ? `${sizeText(file.size)} · choose another`
          : 'camt.053, camt.054, MT940 or CSV, at most 256 MiB'}
      </Text>
    </label>
  );
}
