import { useEffect, useRef, useState } from 'react';
import { useMutation } from 'urql';
import { useLocation } from 'wouter';
import { useFormState } from '../../components/use-form-state.ts';
import type { Mode } from '../../graphql/client.ts';
import { getPageViewerId } from '../../graphql/page-viewer.ts';
import { reauthenticate, twoFactorRequired } from '../../graphql/reauthentication.ts';
import { t } from '../../language/texts.ts';
import { useMode } from '../../use-mode.ts';
import {
  importStatementMutation,
  type MappingInput,
  previewStatementMutation,
  type StatementPreviewData,
} from './import-query.ts';

/** Uploads a file. Selecting another file aborts the current upload. */
export function useUpload() {
  const { mode } = useMode();
  const [file, setFile] = useState<File>();
  const [progress, setProgress] = useState<number>();
  const [uploadId, setUploadId] = useState<string>();
  const [error, setError] = useState<string>();
  const controller = useRef<AbortController>(undefined);
  const send = async (newFile: File) => {
    controller.current?.abort();
    const newController = new AbortController();
    controller.current = newController;
    setFile(newFile);
    setUploadId(undefined);
    setError(undefined);
    setProgress(0);
    const onProgress = (newProgress: number) => !newController.signal.aborted && setProgress(newProgress);
    const result = await uploadFile(newFile, { mode, onProgress, signal: newController.signal });
    if (newController.signal.aborted) return;
    setProgress(undefined);
    if ('uploadId' in result) setUploadId(result.uploadId);
    else setError(result.error);
  };
  return { file, progress, uploadId, error, send };
}

/** An uploaded file and the account to import it to; undefined until both are known. */
type UploadedFile = { uploadId: string; receivingAccountId: string } | undefined;

/**
 * Previews the file, and again after the account changes or `loadPreview` is called with a new mapping.
 * `triedMapping` is the mapping in that call, for the current preview. `loadPreview` resolves to whether there is a new
 * preview.
 */
export function useStatementPreview(file: UploadedFile) {
  const [{ fetching }, previewStatement] = useMutation(previewStatementMutation);
  const [{ preview, triedMapping }, setPreviewState] = useState<{
    preview?: StatementPreviewData;
    triedMapping?: MappingInput | undefined;
  }>({});
  const requestCount = useRef(0);
  // Mapping errors appear at the mapping fields if those are visible.
  const { error, fieldErrors, handleResult, clearErrors } = useFormState(preview?.mapping ? ['mapping'] : []);
  const loadPreview = async (mapping?: MappingInput): Promise<boolean> => {
    requestCount.current += 1;
    const requestNumber = requestCount.current;
    if (!file) return false;
    const response = await previewStatement({ input: { ...file, ...(mapping && { mapping }) } });
    // Ignores the response if the account or mapping has changed since the request.
    if (requestNumber !== requestCount.current) return false;
    handleResult(response);
    const result = response.data?.previewStatement;
    if (result?.__typename !== 'PreviewStatementSuccess') return false;
    setPreviewState({ preview: result.preview, triedMapping: mapping });
    return true;
  };
  const latest = useRef(loadPreview);
  latest.current = loadPreview;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the preview depends only on the upload and the account.
  useEffect(() => {
    setPreviewState({});
    clearErrors();
    void latest.current();
  }, [file?.uploadId, file?.receivingAccountId]);
  return { preview, triedMapping, error, fieldErrors, fetching, loadPreview };
}

/** The history state of a statement page: whether the selected file had been imported before. */
export type StatementPageState = { isDuplicate: boolean } | null;

/** The mapping with which to read the file, and the account in the file whose entries are recorded. */
type ImportChoices = { mapping: MappingInput | undefined; fileAccount: string | undefined };

/** Imports the file and opens its page. A file that was imported before opens the page of its first import. */
export function useStatementImport(file: UploadedFile) {
  const [{ fetching }, importStatement] = useMutation(importStatementMutation);
  const { error, handleResult } = useFormState();
  const [, navigate] = useLocation();
  const start = async ({ mapping, fileAccount }: ImportChoices) => {
    if (!file) return;
    const input = { ...file, ...(mapping && { mapping }), ...(fileAccount !== undefined && { fileAccount }) };
    const response = await importStatement({ input });
    handleResult(response);
    const result = response.data?.importStatement;
    if (result?.__typename !== 'ImportStatementSuccess') return;
    const state: StatementPageState = { isDuplicate: result.isDuplicate };
    navigate(`/statements/${result.statement.id}`, { state });
  };
  return { error, fetching, start };
}

type UploadResult = { uploadId: string } | { error: string; code?: string | undefined };

type UploadOptions = { mode: Mode; onProgress: (progress: number) => void; signal: AbortSignal };

/**
 * Uploads a file with the session cookie. `onProgress` receives the fraction that has been sent, from 0 to 1. If the
 * upload needs a recent re-authentication, asks the user to re-authenticate and uploads again.
 */
async function uploadFile(file: File, options: UploadOptions): Promise<UploadResult> {
  const result = await sendFile(file, options);
  const needsReauthentication = 'code' in result && result.code === twoFactorRequired;
  return needsReauthentication && (await reauthenticate()) && !options.signal.aborted
    ? sendFile(file, options)
    : result;
}

function sendFile(file: File, { mode, onProgress, signal }: UploadOptions): Promise<UploadResult> {
  return new Promise((resolve) => {
    // `fetch` does not report upload progress.
    const request = new XMLHttpRequest();
    request.open('PUT', `/uploads?fileName=${encodeURIComponent(file.name.slice(-255))}`);
    request.setRequestHeader('causeway-mode', mode);
    const viewer = getPageViewerId();
    if (viewer !== undefined) request.setRequestHeader('causeway-viewer', viewer);
    request.setRequestHeader('content-type', 'application/octet-stream');
    request.responseType = 'json';
    request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 1 : loaded / total);
    request.onerror = () => resolve({ error: t.statement.cantReachTheServer });
    request.onabort = () => resolve({ error: t.statement.theUploadWasCancelled });
    request.onload = () => {
      const { uploadId, detail, code } = (request.response ?? {}) as {
        uploadId?: string;
        detail?: string;
        code?: string;
      };
      resolve(
        uploadId === undefined ? { error: detail ?? t.statement.theFileWasRejected, code } : { uploadId },
      );
    };
    signal.addEventListener('abort', () => request.abort());
    request.send(file);
  });
}
