import type { Mode } from '../../graphql/client.ts';
import { reauthenticate, secondFactorRequired } from '../../graphql/reauthentication.ts';
import { shownViewer } from '../../graphql/shown-viewer.ts';

type Uploaded = { uploadId: string } | { refusal: string; code?: string | undefined };

type Options = { mode: Mode; onProgress: (share: number) => void; signal: AbortSignal };

/**
 * Sends a file with the session's cookie; `onProgress` hears how much of it has gone, 0 to 1. Where that needs a recent
 * two-factor authentication, it asks for a code and sends the file again.
 */
export async function uploadFile(file: File, options: Options): Promise<Uploaded> {
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
      resolve({ refusal: 'The server does not answer. Check your connection and try again.' });
    request.onabort = () => resolve({ refusal: 'The upload was stopped.' });
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
