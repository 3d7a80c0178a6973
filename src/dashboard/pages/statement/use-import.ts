import { useEffect, useRef, useState } from 'react';
import { useMutation } from 'urql';
import { useLocation } from 'wouter';
import { useOutcome } from '../../components/use-outcome.ts';
import type { Mode } from '../../graphql/client.ts';
import { reauthenticate, secondFactorRequired } from '../../graphql/reauthentication.ts';
import { shownViewer } from '../../graphql/shown-viewer.ts';
import { useMode } from '../../use-mode.ts';
import { importMutation, type Mapping, type Preview, previewMutation } from './import-query.ts';

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

type Uploaded = { uploadId: string } | { refusal: string; code?: string | undefined };

type Options = { mode: Mode; onProgress: (share: number) => void; signal: AbortSignal };

/**
 * Sends a file with the session's cookie; `onProgress` hears how much of it has gone, 0 to 1. Where that needs a recent
 * two-factor authentication, it asks for a code and sends the file again.
 */
async function uploadFile(file: File, options: Options): Promise<Uploaded> {
  const result = await send(file, options);
  const isAsked = 'code' in result && result.code === secondFactorRequired;
  return isAsked && (await reauthenticate()) && !options.signal.aborted ? send(file, options) : result;
}

function send(file: File, { mode, onProgress, signal }: Options): Promise<Uploaded> {
  return new Promise((resolve) => {
    // Not fetch, which does not say how far it is.
    const request = new XMLHttpRequest();
    request.open('PUT', `/uploads?fileName=${encodeURIComponent(file.name.slice(-255))}`);
    request.setRequestHeader('causeway-mode', mode);
    const viewer = shownViewer();
    if (viewer !== undefined) request.setRequestHeader('causeway-viewer', viewer);
    request.setRequestHeader('content-type', 'application/octet-stream');
    request.responseType = 'json';
    request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 1 : loaded / total);
    request.onerror = () =>
      resolve({ refusal: 'Can’t reach the server. Check your connection and try again.' });
    request.onabort = () => resolve({ refusal: 'The upload was cancelled.' });
    request.onload = () => {
      const { uploadId, detail, code } = (request.response ?? {}) as {
        uploadId?: string;
        detail?: string;
        code?: string;
      };
      resolve(uploadId === undefined ? { refusal: detail ?? 'The file was rejected.', code } : { uploadId });
    };
    signal.addEventListener('abort', () => request.abort());
    request.send(file);
  });
}
