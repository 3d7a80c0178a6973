import { expect } from 'vitest';
import { findAccessibilityErrors, findOverflow } from '../setup/accessibility.ts';
import { seedCheckoutLink } from '../setup/checkout.ts';
import { dashboardTest as test } from '../setup/dashboard-site.ts';
import { payCharge } from '../setup/transfers.ts';

test('a cashier sells by keypad and item on a phone, and sees each payment live', async ({ site }) => {
  const { service, merchant } = site;
  await seedCheckoutLink(service, merchant, { input: { name: 'Dragon Well', amount: 48 } });
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, colorScheme: 'dark' } as const;
  const page = await site.open('', phone, await site.newUser('cashier'));
  await page.getByRole('heading', { level: 1, name: 'Counter' }).waitFor();
  await page.getByText('No sales yet').waitFor();
  for (const key of ['1', '2', '5', 'Delete the last digit', '.', '5'])
    await page.getByRole('button', { name: key, exact: true }).click();
  await page.getByRole('combobox', { name: 'Currency' }).selectOption('HKD');
  expect(await findAccessibilityErrors(page)).toEqual([]);
  expect(await findOverflow(page)).toEqual([]);
  await page.getByRole('button', { name: 'Show QR code' }).click();
  await page.getByRole('heading', { name: '$12.50 HKD' }).waitFor();
  await page.getByRole('heading', { name: 'How does the customer pay?' }).waitFor();
  const status = page.getByRole('status').filter({ hasText: /Waiting|Paid/ });
  await status.getByText('Waiting for the customer to scan the code').waitFor();
  expect(await findAccessibilityErrors(page)).toEqual([]);
  const link = page.getByRole('img', { name: 'QR code that opens the checkout page' });
  await page.getByRole('button', { name: /^The customer chooses/ }).click();
  await link.waitFor();

  await page.getByRole('button', { name: 'Other ways to pay' }).click();
  await page.getByRole('button', { name: /^FPS/ }).click();
  await page.getByRole('img', { name: 'QR code to pay $12.50 HKD by FPS' }).waitFor();
  await page.getByText('The customer scans this code with a bank or payment app.').waitFor();
  await status.getByText('Waiting for the payment').waitFor();
  expect(await findAccessibilityErrors(page)).toEqual([]);
  expect(await findOverflow(page)).toEqual([]);
  const session = await service.prisma.checkoutSession.findFirstOrThrow({
    where: { merchantId: merchant.merchant.id },
  });
  const charge = await service.prisma.charge.findFirstOrThrow({ where: { sessionId: session.id } });
  await payCharge(service, merchant, charge);
  await status.getByText('Paid').waitFor();

  await page.getByRole('button', { name: 'New sale' }).click();
  await page.getByRole('row', { name: /^\$12\.50 HKD FPS Paid/ }).waitFor();
  await page.getByText('Items', { exact: true }).click();
  await page.getByRole('button', { name: 'Dragon Well $48.00 HKD' }).click();
  // The browser remembers the method.
  await page.getByRole('img', { name: 'QR code to pay $48.00 HKD by FPS' }).waitFor();
  await page.getByRole('button', { name: 'Cancel sale' }).click();
  await page.getByText('Cancelled', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'New sale' }).click();
  await page.context().setOffline(true);
  await page.getByText('You’re offline').waitFor();
  expect(await page.getByRole('button', { name: 'Show QR code' }).isDisabled()).toBe(true);
});
