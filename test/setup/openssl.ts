import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Tests that need the openssl command mention the command in their titles. */
export const hasOpenssl = spawnSync('openssl', ['version']).status === 0;

/** Creates a self-signed certificate with its key in PEM, by default for 127.0.0.1. */
export function createCertificate(host = 'IP:127.0.0.1'): { key: string; cert: string } {
  const folder = mkdtempSync(join(tmpdir(), 'causeway-test-'));
  const key = join(folder, 'key.pem');
  const cert = join(folder, 'cert.pem');
  const name = ['-subj', '/CN=causeway test', '-addext', `subjectAltName=${host}`];
  const request = [
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-days',
    '1',
    '-keyout',
    key,
    '-out',
    cert,
  ];
  try {
    execFileSync('openssl', [...request, ...name], { stdio: 'pipe' });
    return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
