import { expect, test } from 'vitest';
import { formatWelcome } from '../../src/demo/welcome.ts';
import { readConfig } from '../../src/kit/config.ts';

/** What the service prints once it is ready. */

const production = {
  DATABASE_URL: 'postgres://127.0.0.1/causeway',
  APP_SECRET: 'a secret that is long enough for every check',
  PUBLIC_URL: 'https://pay.shop.example',
};
const mailServer = { SMTP_URL: 'smtps://mail.shop.example', MAIL_FROM: 'pay@shop.example' };

const printed = (env: NodeJS.ProcessEnv, address?: string) =>
  formatWelcome({ config: readConfig(env), address, demo: undefined, seconds: 1 });

test.each(['http://127.0.0.1:4000', undefined])(
  'without a mail server it says that no mail is delivered, in production only: %s',
  (address) => {
    const warning = 'SMTP_URL is not set, so no email is delivered';
    expect(printed(production, address)).toContain(warning);
    expect(printed({ ...production, ...mailServer }, address)).not.toContain('SMTP_URL');
    expect(printed({}, address)).not.toContain('SMTP_URL');
  },
);
