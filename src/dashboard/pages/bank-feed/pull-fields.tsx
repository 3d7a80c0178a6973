import { Checkbox, NumberInput, TagsInput, TextInput } from '@mantine/core';
import { useState } from 'react';
import { getNumber, getText } from '../../components/form.tsx';
import { t } from '../../language/texts.ts';
import type { BankFeedDetails, BankFeedKind } from './bank-feeds-query.ts';

type Pull = NonNullable<BankFeedDetails['pull']>;

/** The poll settings of each kind of feed, besides the interval. Kinds that are missing are not polled. */
const pullFields: Partial<Record<BankFeedKind, ('files' | 'server' | 'providerAccountId')[]>> = {
  folder: ['files'],
  sftp: ['server', 'files'],
  wise: ['providerAccountId'],
  akahu: [],
  popbill: ['providerAccountId'],
};

export function isPolled(kind: BankFeedKind): boolean {
  return pullFields[kind] !== undefined;
}

export const pullFieldPaths = [
  'intervalMinutes',
  'patterns',
  'host',
  'port',
  'folder',
  'providerAccountId',
].map((name) => `pull/${name}`);

/** Returns undefined for a kind that is not polled. */
export function readPull(form: FormData, kind: BankFeedKind, patterns: string[]) {
  const fields = pullFields[kind];
  if (!fields) return undefined;
  return {
    intervalMinutes: getNumber(form, 'pull.intervalMinutes'),
    ...(fields.includes('files') && {
      patterns: patterns.length > 0 ? patterns : ['*'],
      archivesFiles: form.get('pull.archivesFiles') !== null,
    }),
    ...(fields.includes('server') && {
      host: getText(form, 'pull.host'),
      port: getNumber(form, 'pull.port'),
      folder: getText(form, 'pull.folder'),
    }),
    ...(fields.includes('providerAccountId') && {
      providerAccountId: getText(form, 'pull.providerAccountId'),
    }),
  };
}

export function PullFields(props: {
  kind: BankFeedKind;
  pull?: Pull | null;
  patterns: string[];
  onPatterns: (patterns: string[]) => void;
  getFieldError: (path: string) => string | undefined;
}) {
  const { kind, pull, patterns, onPatterns, getFieldError } = props;
  const fields = pullFields[kind];
  if (!fields) return null;
  return (
    <>
      {fields.includes('server') && <ServerFields pull={pull} getFieldError={getFieldError} />}
      {fields.includes('providerAccountId') && (
        <TextInput
          label={t.bankFeed.yourIdAtThe}
          description={t.bankFeed.theProfileIdAt}
          name="pull.providerAccountId"
          defaultValue={pull?.providerAccountId ?? ''}
          error={getFieldError('pull/providerAccountId')}
        />
      )}
      {fields.includes('files') && (
        <>
          <TagsInput
            label={t.bankFeed.fileNames}
            description={t.bankFeed.patternsSuchAsXml}
            value={patterns}
            onChange={onPatterns}
            error={getFieldError('pull/patterns')}
            comboboxProps={{ withinPortal: false }}
          />
          <Checkbox
            label={t.bankFeed.moveImportedFilesTo}
            name="pull.archivesFiles"
            defaultChecked={pull?.archivesFiles ?? false}
          />
        </>
      )}
      <NumberInput
        label={t.bankFeed.minutesBetweenTwoPolls}
        description={t.bankFeed.leaveEmptyForThe}
        name="pull.intervalMinutes"
        min={1}
        max={1_440}
        defaultValue={pull?.intervalMinutes ?? ''}
        error={getFieldError('pull/intervalMinutes')}
      />
    </>
  );
}

function ServerFields(props: {
  pull: Pull | null | undefined;
  getFieldError: (path: string) => string | undefined;
}) {
  const { pull, getFieldError } = props;
  return (
    <>
      <TextInput
        label={t.bankFeed.hostOfTheSftp}
        name="pull.host"
        required
        withAsterisk={false}
        defaultValue={pull?.host ?? ''}
        error={getFieldError('pull/host')}
      />
      <NumberInput
        label={t.bankFeed.port}
        name="pull.port"
        placeholder="22"
        min={1}
        max={65_535}
        defaultValue={pull?.port ?? ''}
        error={getFieldError('pull/port')}
      />
      <TextInput
        label={t.bankFeed.folder}
        description={t.bankFeed.leaveEmptyForTheFolder}
        name="pull.folder"
        defaultValue={pull?.folder ?? ''}
        error={getFieldError('pull/folder')}
      />
    </>
  );
}

/** The form shows the pattern `*`, which matches all files, as an empty list. */
export function usePatterns(pull?: Pull | null) {
  return useState<string[]>(pull?.patterns.filter((pattern) => pattern !== '*') ?? []);
}
