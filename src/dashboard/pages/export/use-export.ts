import { useCallback, useEffect, useState } from 'react';
import { useClient } from 'urql';
import { isInProgress } from '../../format/is-in-progress.ts';
import { formatError, getErrorMessage } from '../../graphql/errors.ts';
import { graphql } from '../../graphql/graphql.ts';
import { reauthenticate } from '../../graphql/reauthentication.ts';
import { toSameOriginPath } from '../../graphql/to-same-origin-path.ts';
import { useMode } from '../../use-mode.ts';
import { createExportMutation, type ExportInput, type ExportRow, exportQuery } from './export-query.ts';

const pollMs = 600;

const reauthenticationQuery = graphql(`
  query Reauthentication {
    viewer {
      user {
        id
        hasTwoFactor
      }
      reauthenticatedUntil
    }
  }
`);

/** Returns a function that downloads the file of a completed export. */
export function useSaveFile(): (row: ExportRow) => Promise<void> {
  const client = useClient();
  const { mode } = useMode();
  return useCallback(
    async (row) => {
      if (mode === 'live' && row.kind === 'payouts') {
        // A download cannot ask the user to re-authenticate; it would open a page with the error.
        const options = { requestPolicy: 'network-only' } as const;
        const { data } = await client.query(reauthenticationQuery, {}, options).toPromise();
        const needsReauthentication =
          data?.viewer?.user.hasTwoFactor && data.viewer.reauthenticatedUntil === null;
        if (needsReauthentication && !(await reauthenticate())) return;
      }
      saveFile(row);
    },
    [client, mode],
  );
}

function saveFile({ downloadUrl, fileName }: Pick<ExportRow, 'downloadUrl' | 'fileName'>): void {
  if (downloadUrl === null) return;
  const anchor = document.createElement('a');
  anchor.href = toSameOriginPath(downloadUrl);
  anchor.download = fileName;
  anchor.click();
}

/**
 * Starts an export, polls it and downloads the file. `start` resolves to an error message, or to undefined on
 * success. The server finishes a started export even if the user leaves the page; the exports page lists it.
 */
export function useExport(): {
  row: ExportRow | undefined;
  error: string | undefined;
  start: (input: ExportInput) => Promise<string | undefined>;
} {
  const client = useClient();
  const save = useSaveFile();
  const [row, setRow] = useState<ExportRow>();
  const [error, setError] = useState<string>();
  const start = useCallback(
    async (input: ExportInput) => {
      setRow(undefined);
      const response = await client.mutation(createExportMutation, { input }).toPromise();
      const message = getErrorMessage(response);
      setError(message);
      const result = response.data?.createExport;
      if (result?.__typename === 'CreateExportSuccess') setRow(result.export);
      return message;
    },
    [client],
  );
  useEffect(() => {
    if (!row || !isInProgress(row)) return;
    let isUnmounted = false;
    const timer = setTimeout(async () => {
      const options = { requestPolicy: 'network-only' } as const;
      const { data, error: queryError } = await client
        .query(exportQuery, { id: row.id }, options)
        .toPromise();
      if (isUnmounted) return;
      // Replaces or clears the error of the previous poll.
      setError(queryError && formatError(queryError));
      const next = data?.export;
      if (next?.status === 'completed') void save(next);
      // A new object restarts this effect, which polls again.
      setRow(next ?? { ...row });
    }, pollMs);
    return () => {
      isUnmounted = true;
      clearTimeout(timer);
    };
  }, [client, row, save]);
  return { row, error, start };
}
