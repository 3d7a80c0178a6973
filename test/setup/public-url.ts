import { onTestFinished } from 'vitest';
import type { Service } from '../../src/domain/platform/service.ts';

/** From here to the end of the test the service is reached at this address. */
export function atPublicUrl({ settings }: Service, url: string): void {
  const { publicUrl } = settings;
  onTestFinished(() => {
    settings.publicUrl = publicUrl;
  });
  settings.publicUrl = url;
}
