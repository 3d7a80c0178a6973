import tls from 'node:tls';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createPoster, type PostResult } from '../../src/notification/post.ts';
import { createCertificate, hasOpenssl } from '../setup/openssl.ts';
import { respondWith, startRawServer, startReceiver } from '../setup/receiver.ts';

function poster(options: { timeoutMs?: number } = {}) {
  const created = createPoster({ allowPrivateWebhookUrls: true, ...options });
  onTestFinished(() => created.close());
  return created;
}

const request = (url: string) => ({ url, body: '{}', headers: { 'webhook-id': 'ev_1' } });

describe('over https', () => {
  /** Trusted by this process until the test ends. */
  function trust(cert: string): void {
    const before = tls.getCACertificates('default');
    tls.setDefaultCACertificates([...before, cert]);
    onTestFinished(() => tls.setDefaultCACertificates(before));
  }

  test.skipIf(!hasOpenssl)(
    'a certificate that nobody vouches for is not trusted (needs openssl)',
    async () => {
      await using receiver = await startReceiver(respondWith(200), { tls: createCertificate() });
      const result: PostResult = await poster().post(request(receiver.url));
      expect(result.status).toBeNull();
      expect(result.error).toBe('the certificate is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT)');
      expect(receiver.requests).toHaveLength(0);
    },
  );

  test.skipIf(!hasOpenssl)(
    'a certificate of this host is trusted, one of another host is not, whoever vouches for it (needs openssl)',
    async () => {
      const [own, other] = [createCertificate(), createCertificate('DNS:shop.example')];
      trust(own.cert);
      trust(other.cert);
      await using right = await startReceiver(respondWith(200), { tls: own });
      await using wrong = await startReceiver(respondWith(200), { tls: other });
      expect(await poster().post(request(right.url))).toMatchObject({ status: 200, error: null });
      expect(await poster().post(request(wrong.url))).toMatchObject({
        status: null,
        error: 'the certificate is not trusted (ERR_TLS_CERT_ALTNAME_INVALID)',
      });
      expect(wrong.requests).toHaveLength(0);
    },
  );

  test('a receiver that takes the connection and never shakes hands is given up', async () => {
    const url = await startRawServer(onTestFinished, () => {});
    expect(await poster({ timeoutMs: 300 }).post(request(url.replace('http:', 'https:')))).toMatchObject({
      status: null,
      error: 'timed out',
    });
  });
});
