import { useEffect, useRef, useState } from 'react';
import { useMutation } from 'urql';
import { useLocation } from 'wouter';
import { useOutcome } from '../../parts/use-outcome.ts';
import { useMode } from '../../use-mode.ts';
import { importMutation, type Mapping, type Preview, previewMutation } from './import-query.ts';
import { uploadFile } from './upload-file.ts';

/** The file on its way to the server. Another choice stops the one before. */
export function useSending() {
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

/** A file that was sent, and the account it is of; undefined until both are known. */
type SentFile = { uploadId: string; receivingAccountId: string } | undefined;

/** How the file would be read, anew for another account or mapping; `tried` is the mapping that a person gave for it. */
export function usePreview(file: SentFile) {
  const [{ fetching }, ask] = useMutation(previewMutation);
  const [{ preview, tried }, setShown] = useState<{ preview?: Preview; tried?: Mapping | undefined }>({});
  const asked = useRef(0);
  // Beside the fields of the mapping, where they are shown.
  const { refusal, faults, take, say } = useOutcome(preview?.mapping ? ['mapping'] : []);
  const look = async (mapping?: Mapping) => {
    asked.current += 1;
    const own = asked.current;
    if (!file) return;
    const answer = await ask({ input: { ...file, ...(mapping && { mapping }) } });
    // Of another account, or another mapping, than is shown by now.
    if (own !== asked.current) return;
    take(answer);
    const result = answer.data?.previewStatement;
    if (result?.__typename === 'PreviewStatementSuccess')
      setShown({ preview: result.preview, tried: mapping });
  };
  const latest = useRef(look);
  latest.current = look;
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is shown is of these two
  useEffect(() => {
    setShown({});
    say();
    void latest.current();
  }, [file?.uploadId, file?.receivingAccountId]);
  return { preview, tried, refusal, faults, fetching, look };
}

/** What the page of a statement is told by the one before it: that this file led to it a second time. */
export type StatementArrival = { isKnown: boolean } | null;

/** Imports the file, and goes on to its page; of a file that is known already to that of its first import. */
export function useImport(file: SentFile) {
  const [{ fetching }, ask] = useMutation(importMutation);
  const { refusal, take } = useOutcome();
  const [, go] = useLocation();
  const start = async (mapping?: Mapping) => {
    if (!file) return;
    const answer = await ask({ input: { ...file, ...(mapping && { mapping }) } });
    take(answer);
    const result = answer.data?.importStatement;
    if (result?.__typename !== 'ImportStatementSuccess') return;
    const state: StatementArrival = { isKnown: result.alreadyImported };
    go(`/statements/${result.statement.id}`, { state });
  };
  return { refusal, fetching, start };
}
