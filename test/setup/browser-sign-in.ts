import type { BrowserContext, Page } from 'playwright-core';
import { getDashboardDocument } from './visitor.ts';

export type EmailAndPassword = { email: string; password: string };

export async function signInByForm(page: Page, { email, password }: EmailAndPassword): Promise<void> {
  await page.getByRole('textbox', { name: 'Email' }).fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.keyboard.press('Enter');
}

/**
 * Signs a browser in without the form, which saves half a second. Node sends the request, so `url` must not contain
 * `testHost`, which Node cannot resolve.
 */
export async function signInByRequest(
  context: BrowserContext,
  url: string,
  { email, password }: EmailAndPassword,
): Promise<void> {
  const response = await context.request.post(`${url}/graphql`, {
    headers: { origin: url },
    data: { query: getDashboardDocument('SignIn'), variables: { input: { email, password } } },
  });
  const { data } = await response.json();
  if (data?.signIn.__typename !== 'SignInSuccess') throw new Error(JSON.stringify(data));
}
