import type { BrowserContext, Page } from 'playwright-core';
import { pageDocument } from './visitor.ts';

export type Credentials = { email: string; password: string };

/** Signs in by the form that the page shows: where a test is about it, or about what comes after it. */
export async function signInByForm(page: Page, { email, password }: Credentials): Promise<void> {
  await page.getByRole('textbox', { name: 'Email' }).fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.keyboard.press('Enter');
}

/**
 * Signs a browser in without the form, which has tests of its own: half a second less for each. It asks from Node, which
 * knows no `namedHost`.
 */
export async function enterDashboard(
  context: BrowserContext,
  url: string,
  { email, password }: Credentials,
): Promise<void> {
  const answer = await context.request.post(`${url}/graphql`, {
    headers: { origin: url },
    data: { query: pageDocument('SignIn'), variables: { input: { email, password } } },
  });
  const { data } = await answer.json();
  if (data?.signIn.__typename !== 'SignInSuccess') throw new Error(JSON.stringify(data));
}
