import { useCallback, useEffect, useState } from 'react';
import { useClient } from 'urql';
import { isUnderWay } from '../../format/under-way.ts';
import { graphql } from '../../graphql/graphql.ts';
import { ownPath } from '../../graphql/own-path.ts';
import { reauthenticate } from '../../graphql/reauthentication.ts';
import { errorText, refusalOf } from '../../graphql/refusal.ts';
import { useMode } from '../../use-mode.ts';
import { createExportMutation, type ExportInput, type ExportRow, exportQuery } from './export-query.ts';

const pollMs = 600;

const reauthenticationQuery = graphql(`
  query Reauthentication {
    viewer {
      user {
        id
        hasSecondFactor
      }
      reauthenticatedUntil
    }
  }
`);

/** Saves a finished file: the browser asks for it with the dashboard's own session. */
export function useSaveFile(): (row: ExportRow) => Promise<void> {
  const client = useClient();
  const { mode } = useMode();
  return useCallback(
    async (row) => {
      if (mode === 'live' && row.kind === 'payouts') {
        // A download cannot ask for a code: it would end in a page with the error.
        const options = { requestPolicy: 'network-only' } as const;
        const { data } = await client.query(reauthenticationQuery, {}, options).toPromise();
        const isAsked = data?.viewer?.user.hasSecondFactor && data.viewer.reauthenticatedUntil === null;
        if (isAsked && !(await reauthenticate())) return;
      }
      saveFile(row);
    },
    [client, mode],
  );
}

function saveFile({ downloadUrl, fileName }: Pick<ExportRow, 'downloadUrl' | 'fileName'>): void {
  if (downloadUrl === null) return;
  const anchor = document.createElement('a');
  anchor.href = ownPath(downloadUrl);
  anchor.download = fileName;
  anchor.click();
}

/**
 * Has a file made, follows it and saves it. `start` answers the sentence to show when it was refused. What is under way
 * is made to its end also when the page is left: the page of exports has it.
 */
export function useExport(): {
  row: ExportRow | undefined;
  refusal: string | undefined;
  start: (input: ExportInput) => Promise<string | undefined>;
} {
  const client = useClient();
  const save = useSaveFile();
  const [row, setRow] = useState<ExportRow>();
  const [refusal, setRefusal] = useState<string>();
  const start = useCallback(
    async (input: ExportInput) => {
      setRow(undefined);
      const outcome = await client.mutation(createExportMutation, { input }).toPromise();
      const refused = refusalOf(outcome);
      setRefusal(refused);
      const result = outcome.data?.createExport;
      if (result?.__typename === 'CreateExportSuccess') setRow(result.export);
      return refused;
    },
    [client],
  );
  useEffect(() => {
    if (!row || !isUnderWay(row)) return;
    let isLeft = false;
    const timer = setTimeout(async () => {
      const options = { requestPolicy: 'network-only' } as const;
      const { data, error } = await client.query(exportQuery, { id: row.id }, options).toPromise();
      if (isLeft) return;
      // What one asking says holds until the next.
      setRefusal(error && errorText(error));
      const next = data?.export;
      if (next?.status === 'done') void save(next);
      // The same again asks again.
      setRow(next ?? { ...row });
    }, pollMs);
    return () => {
      isLeft = true;
      clearTimeout(timer);
    };
  }, [client, row, save]);
  return { row, refusal, start };
}
