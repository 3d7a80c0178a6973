import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import ssh2, { type Server, type SFTPWrapper } from 'ssh2';
import type { OnCleanup } from './cleanup.ts';

// The package is a CommonJS module.
const { utils } = ssh2;
const { STATUS_CODE } = utils.sftp;

type SftpFile = { data: Buffer; mtime: number; isDenied?: boolean };

type SftpFault = 'hangs' | 'lists_endlessly' | 'hangs_in_file' | 'disconnects' | 'truncates' | undefined;

type SftpServer = {
  port: number;
  /** The files by path, which tests change. */
  files: Map<string, SftpFile>;
  /** How often a client attempted to log in. */
  loginCount: number;
  setFault(fault: SftpFault): void;
  /** Replaces the host key after all open connections have ended. */
  changeHostKey(): Promise<void>;
};

export const sftpLogin = { username: 'causeway', password: 'a password of the bank' };
export const sftpClientKey = utils.generateKeyPairSync('ed25519');

const createHostKey = () =>
  generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  }).privateKey;

/** Starts an SFTP server of ssh2 with files in memory, in the folder `/out`. */
export async function startSftpServer(onCleanup: OnCleanup): Promise<SftpServer> {
  const files = new Map<string, SftpFile>();
  let fault: SftpFault;
  const open = async (port: number): Promise<Server> => {
    const server = new ssh2.Server({ hostKeys: [createHostKey()] }, (client) => {
      client.on('error', () => {});
      client.on('authentication', (context) => {
        if (context.method === 'none') return context.reject(['password', 'publickey']);
        state.loginCount += 1;
        const isPassword = context.method === 'password' && context.password === sftpLogin.password;
        if (context.username === sftpLogin.username && (isPassword || isClientKey(context)))
          return context.accept();
        return context.reject(['password', 'publickey']);
      });
      client.on('session', (accept) => {
        accept().on('sftp', (acceptSftp) => serve(acceptSftp(), files, () => fault));
      });
    });
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return server;
  };
  let server = await open(0);
  const { port } = server.address() as AddressInfo;
  const state: SftpServer = {
    port,
    files,
    loginCount: 0,
    setFault(next) {
      fault = next;
    },
    async changeHostKey() {
      await new Promise((resolve) => server.close(resolve));
      server = await open(port);
    },
  };
  onCleanup(() => new Promise<void>((resolve) => void server.close(() => resolve())));
  return state;
}

function isClientKey(context: { method: string }): boolean {
  const parsed = utils.parseKey(sftpClientKey.public);
  const key = (context as { key?: { data: Buffer } }).key?.data;
  return !(parsed instanceof Error) && key !== undefined && parsed.getPublicSSH().equals(key);
}

const toAttributes = (mode: number, { data, mtime }: SftpFile) => ({
  ...{ mode, uid: 0, gid: 0, size: data.length, atime: mtime, mtime },
});

function serve(sftp: SFTPWrapper, files: Map<string, SftpFile>, getFault: () => SftpFault): void {
  const handles = new Map<string, { path: string; isListed?: boolean }>();
  const folders = new Set(['/out']);
  const toHandle = (path: string) => {
    const handle = String(handles.size);
    handles.set(handle, { path });
    return Buffer.from(handle);
  };
  const stat = (id: number, path: string) => {
    const file = files.get(path);
    if (file) sftp.attrs(id, toAttributes(0o100644, file));
    else if (folders.has(path)) sftp.attrs(id, toAttributes(0o040755, { data: Buffer.alloc(0), mtime: 0 }));
    else sftp.status(id, STATUS_CODE.NO_SUCH_FILE);
  };
  sftp.on('REALPATH', (id, path) => sftp.name(id, [{ filename: path, longname: path, attrs: {} as never }]));
  sftp.on('OPENDIR', (id, path) => {
    if (folders.has(path)) sftp.handle(id, toHandle(path));
    else sftp.status(id, STATUS_CODE.NO_SUCH_FILE);
  });
  sftp.on('READDIR', (id, handle) => {
    if (getFault() === 'hangs') return;
    const folder = handles.get(handle.toString())!;
    if (getFault() === 'lists_endlessly') folder.isListed = false;
    if (folder.isListed) return void sftp.status(id, STATUS_CODE.EOF);
    folder.isListed = true;
    const names = [...files].filter(([path]) => path.startsWith(`${folder.path}/`));
    const entries = names.map(([path, file]) => {
      const filename = path.slice(folder.path.length + 1);
      return { filename, longname: `-rw-r--r-- 1 a a 1 ${filename}`, attrs: toAttributes(0o100644, file) };
    });
    const own = entries.filter(({ filename }) => !filename.includes('/'));
    const repeated = getFault() === 'lists_endlessly' ? Array(500).fill(own).flat() : own;
    sftp.name(id, repeated as never);
  });
  sftp.on('OPEN', (id, path) => {
    const file = files.get(path);
    if (file?.isDenied) sftp.status(id, STATUS_CODE.PERMISSION_DENIED);
    else if (file) sftp.handle(id, toHandle(path));
    else sftp.status(id, STATUS_CODE.NO_SUCH_FILE);
  });
  sftp.on('READ', (id, handle, offset, length) => {
    const { data } = files.get(handles.get(handle.toString())!.path)!;
    if (getFault() === 'hangs_in_file' && offset > 0) return;
    if (getFault() === 'disconnects' && offset > 0) return void sftp.end();
    const end = getFault() === 'truncates' ? Math.floor(data.length / 2) : data.length;
    if (offset >= end) sftp.status(id, STATUS_CODE.EOF);
    else sftp.data(id, data.subarray(offset, Math.min(end, offset + length)));
  });
  sftp.on('FSTAT', (id, handle) => stat(id, handles.get(handle.toString())!.path));
  sftp.on('STAT', stat);
  sftp.on('LSTAT', stat);
  sftp.on('CLOSE', (id) => {
    if (getFault() !== 'hangs_in_file') sftp.status(id, STATUS_CODE.OK);
  });
  sftp.on('MKDIR', (id, path) => {
    folders.add(path);
    sftp.status(id, STATUS_CODE.OK);
  });
  sftp.on('RENAME', (id, from, to) => {
    if (files.get(from)!.isDenied) return void sftp.status(id, STATUS_CODE.PERMISSION_DENIED);
    files.set(to, files.get(from)!);
    files.delete(from);
    sftp.status(id, STATUS_CODE.OK);
  });
}
