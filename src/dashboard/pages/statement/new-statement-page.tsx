import { Alert, Box, Button, Group, Progress, Select, Stack, Text } from '@mantine/core';
import { type DragEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'wouter';
import { fillText } from '../../../language/fill-text.ts';
import { BackLink } from '../../components/back-link.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { Link } from '../../components/link.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { searchableSelectProps } from '../../components/searchable-select-props.ts';
import { Section } from '../../components/section.tsx';
import { pluralize } from '../../format/count.ts';
import { formatSize } from '../../format/size.ts';
import { fillNodes } from '../../language/fill-nodes.tsx';
import { t } from '../../language/texts.ts';
import { useHasPermission } from '../../viewer.ts';
import { useAccountNames } from '../receiving-account/use-account-names.ts';
import classes from './file-drop.module.css';
import { type MappingInput, type StatementPreviewData, toMappingInput } from './import-query.ts';
import { describeMappingOrigin, MappingForm } from './mapping-form.tsx';
import { StatementPreview } from './statement-preview.tsx';
import { StatementQuestions } from './statement-questions.tsx';
import { useMappingDraft } from './use-mapping-draft.ts';
import { useStatementImport, useStatementPreview, useUpload } from './use-statement-import.ts';

export default function NewStatementPage() {
  const canManageTransfers = useHasPermission('transfers');
  const query = useAccountNames();
  return (
    <>
      <BackLink to="/statements">{t.common.statements}</BackLink>
      <PageHeader title={t.statement.importAStatement} text={t.statement.previewTheFileBefore} />
      {canManageTransfers ? (
        <Loaded query={query}>
          {(accounts) => (accounts.length > 0 ? <ImportForm accounts={accounts} /> : <NoAccounts />)}
        </Loaded>
      ) : (
        <EmptyState title={t.statement.youCantImport}>{t.statement.whoCanImport}</EmptyState>
      )}
    </>
  );
}

function NoAccounts() {
  return (
    <Section title={t.common.account}>
      <EmptyState title={t.statement.noReceivingAccountsYet}>
        {fillNodes(t.statement.eachStatementBelongsTo, {
          link: <Link to="/receiving-accounts">{t.statement.receivingAccounts}</Link>,
        })}
      </EmptyState>
    </Section>
  );
}

function ImportForm({ accounts }: { accounts: readonly { value: string; label: string }[] }) {
  const [params] = useSearchParams();
  const [accountId, setAccountId] = useState(() => params.get('account') ?? chooseAccount(accounts));
  const upload = useUpload();
  const { uploadId } = upload;
  const file =
    accountId === null || uploadId === undefined ? undefined : { uploadId, receivingAccountId: accountId };
  const previewState = useStatementPreview(file);
  const importState = useStatementImport(file);
  const { preview } = previewState;
  const draftKey = `${uploadId} ${accountId} ${preview?.mappingOrigin}`;
  const draft = useMappingDraft(draftKey, previewState);
  const previewSection = useRef<HTMLDivElement>(null);
  const updatePreview = async (mapping: MappingInput) => {
    if (await previewState.loadPreview(mapping)) previewSection.current?.scrollIntoView();
  };
  const [fileAccount, setFileAccount] = useState<string | null>(null);
  const mustChoose = preview !== undefined && preview.accounts.length > 1 && !preview.fileAccount;
  const chosenAccount =
    mustChoose && fileAccount !== null && preview.accounts.includes(fileAccount) ? fileAccount : undefined;
  return (
    <Stack gap="lg">
      <Section title={t.common.file}>
        <Stack>
          <Select
            label={t.common.account}
            description={t.statement.accountThisStatementBelongs}
            data={accounts}
            value={accountId}
            onChange={setAccountId}
            allowDeselect={false}
            placeholder={t.statement.chooseTheAccount}
            {...(accounts.length > 8 && searchableSelectProps)}
            maw={520}
          />
          <FileDrop file={upload.file} onFile={upload.send} />
          {upload.progress !== undefined && (
            <Progress value={upload.progress * 100} aria-label={t.statement.progressOfTheUpload} animated />
          )}
          {accountId === null && uploadId !== undefined && (
            <Alert color="amber" variant="light" role="alert">
              {t.statement.chooseAnAccountTo}
            </Alert>
          )}
          <ErrorAlert text={upload.error ?? importState.error ?? previewState.error} />
        </Stack>
      </Section>
      {preview && (
        <Box ref={previewSection}>
          <Section title={t.common.preview} isFlush>
            {preview.questions.length > 0 && (
              <StatementQuestions
                key={draftKey}
                preview={preview}
                isBusy={previewState.fetching}
                onAnswer={previewState.loadPreview}
              />
            )}
            <StatementPreview preview={preview} />
            {mustChoose && (
              <Select
                label={t.statement.accountInTheFileLabel}
                data={preview.accounts}
                value={fileAccount}
                onChange={setFileAccount}
                allowDeselect={false}
                placeholder={t.statement.chooseTheAccount}
                maw={520}
                px="lg"
              />
            )}
            <Group justify="space-between" px="lg" pb="lg" pt="sm">
              <Text size="sm" c="var(--causeway-muted)">
                {draft.isPreviewed ? summarize(preview) : t.statement.theFormatChangedUpdate}
              </Text>
              <Button
                onClick={() => {
                  if (accountId !== null) localStorage.setItem(accountStorageKey, accountId);
                  importState.start({
                    mapping: preview.mapping ? toMappingInput(preview.mapping) : undefined,
                    fileAccount: chosenAccount,
                  });
                }}
                loading={importState.fetching}
                disabled={
                  preview.errors.length > 0 ||
                  preview.questions.length > 0 ||
                  !draft.isPreviewed ||
                  (mustChoose && chosenAccount === undefined)
                }
              >
                {t.statement.import}
              </Button>
            </Group>
          </Section>
        </Box>
      )}
      {preview?.mapping && (
        <Section title={t.statement.format}>
          <Stack gap="sm">
            <Text size="sm" c="var(--causeway-muted)">
              {describeMappingOrigin(preview)}
            </Text>
            <FoldedFormat
              hasErrors={preview.errors.length > 0 || Object.keys(previewState.fieldErrors).length > 0}
            >
              <MappingForm
                key={draftKey}
                preview={preview}
                mapping={draft.mapping}
                onChange={draft.change}
                fieldErrors={previewState.fieldErrors}
                isBusy={previewState.fetching}
                onPreview={updatePreview}
              />
            </FoldedFormat>
          </Stack>
        </Section>
      )}
    </Stack>
  );
}

/** Folds the format, which is rarely changed, until the user opens it or the file has errors. */
function FoldedFormat({ hasErrors, children }: { hasErrors: boolean; children: ReactNode }) {
  const [isOpen, setOpen] = useState(hasErrors);
  useEffect(() => {
    if (hasErrors) setOpen(true);
  }, [hasErrors]);
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <Text component="summary" size="sm" fw={500} mb="sm">
        {t.statement.changeTheFormat}
      </Text>
      {children}
    </details>
  );
}

const accountStorageKey = 'causeway-statement-account';

/**
 * Returns the only account, or the one of the last import in this browser. A file imported into the wrong account is
 * hard to correct, so otherwise the user must choose.
 */
function chooseAccount(accounts: readonly { value: string }[]): string | null {
  const lastId = localStorage.getItem(accountStorageKey);
  const account = accounts.length === 1 ? accounts[0] : accounts.find(({ value }) => value === lastId);
  return account?.value ?? null;
}

function summarize({ errors, entryCount, isComplete }: StatementPreviewData): string {
  if (errors.length > 0) return t.statement.ifAnyRowIs;
  return pluralize(entryCount, isComplete ? t.statement.entryCount : t.statement.readSoFarThere);
}

/** Accepts a file by drag and drop or by selection. The file input makes it accessible by keyboard. */
function FileDrop({ file, onFile }: { file: File | undefined; onFile: (file: File) => void }) {
  const [isDragOver, setDragOver] = useState(false);
  const handleDrop = (event: DragEvent) => {
    event.preventDefault();
    setDragOver(false);
    const [droppedFile] = event.dataTransfer.files;
    if (droppedFile) onFile(droppedFile);
  };
  return (
    <label
      className={classes.drop}
      data-over={isDragOver || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setDragOver(true);
      }}
      onDragLeave={() => setDragOver(false)}
      onDrop={handleDrop}
    >
      <input
        type="file"
        className={classes.input}
        aria-label={t.statement.statementFile}
        onChange={({ currentTarget }) => {
          const [selectedFile] = currentTarget.files ?? [];
          if (selectedFile) onFile(selectedFile);
          // Allows the same file to be selected again after it was corrected.
          currentTarget.value = '';
        }}
      />
      <Text component="span" display="block" fw={600}>
        {file ? file.name : t.statement.dropAFileHere}
      </Text>
      <Text component="span" display="block" size="sm" c="var(--causeway-muted)">
        {file
          ? fillText(t.statement.chooseAnother, { size: formatSize(file.size) })
          : t.statement.camtMt940OfxCsv}
      </Text>
    </label>
  );
}
