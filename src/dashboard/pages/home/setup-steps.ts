import { isMailDelivered } from '../../components/mail-notice.tsx';
import { t } from '../../language/texts.ts';
import type { SetupData } from './setup-query.ts';

export type SetupStep = {
  title: string;
  text: string;
  to: string;
  isDone: boolean;
  isOptional?: true;
  mode?: 'live' | 'sandbox';
};

/** Returns all steps until the first live payment, and the undone ones that still matter after it. */
export function listSetupSteps(data: SetupData): SetupStep[] {
  const steps = [
    ...toPaymentSteps(data),
    ...toShopSteps(data),
    {
      title: t.home.takeTheFirstLive,
      text: t.home.shareACheckoutLink,
      to: '/checkout-links',
      mode: 'live' as const,
      isDone: data.me.setupProgress.hasLivePayment,
    },
  ];
  if (!data.me.setupProgress.hasLivePayment) return steps;
  return steps.filter(({ isDone, mode }) => !isDone && mode !== 'sandbox');
}

function toPaymentSteps({ me }: SetupData): SetupStep[] {
  const progress = me.setupProgress;
  return [
    {
      title: t.home.tryAPaymentIn,
      text: t.home.createACheckoutLink,
      to: '/checkout-links',
      mode: 'sandbox',
      isDone: progress.hasTestPayment,
    },
    {
      title: t.home.scanATestCode,
      text: t.home.shareASandboxLink,
      to: '/checkout-links',
      mode: 'sandbox',
      isDone: progress.hasTestCheckout,
    },
    {
      title: t.home.addAReceivingAccount,
      text: t.home.theBankAccountOr,
      to: '/receiving-accounts/new',
      mode: 'live',
      isDone: progress.hasReceivingAccount,
    },
    {
      title: t.home.chooseHowTransfersAre,
      text: t.home.connectABankFeed,
      to: '/bank-feeds',
      mode: 'live',
      isDone: progress.hasTransferSource,
    },
  ];
}

function toShopSteps({ me, viewer }: SetupData): SetupStep[] {
  const progress = me.setupProgress;
  return [
    {
      title: t.home.setYourWebsite,
      text: t.home.customersReturnThereAfter,
      to: '/settings',
      isDone: me.websiteUrl !== null,
    },
    {
      title: t.home.addYourLogoOr,
      text: t.home.customersRecognizeYourShop,
      to: '/settings',
      isDone: me.logoUrl !== null || me.brandColor !== null,
    },
    {
      title: t.home.setTheTimeZone,
      text: t.home.itDecidesWhereThe,
      to: '/settings',
      isDone: me.timeZone !== 'UTC',
    },
    {
      title: t.home.chooseYourNotifications,
      text: t.home.getAnEmailOrA,
      to: '/account#notifications',
      isDone: receivesNotices(viewer),
    },
    {
      title: t.home.turnOnTwoFactor,
      text: t.home.itProtectsYourMoney,
      to: '/account',
      isDone: viewer?.user.hasTwoFactor ?? false,
    },
    {
      title: t.home.inviteYourTeam,
      text: t.home.chooseForEachPerson,
      to: '/users',
      isDone: progress.hasTeam,
      isOptional: true,
    },
    {
      title: t.home.connectYourShopSystem,
      text: t.home.aWebhookReportsEach,
      to: '/webhooks',
      mode: 'live',
      isDone: progress.hasWebhook,
      isOptional: true,
    },
    {
      title: t.home.deliverEmail,
      text: t.home.theOperatorOfThis,
      to: '/help/operations/mail-and-sms',
      isDone: isMailDelivered,
    },
  ];
}

/** Alerts do not count, because owners receive them without a choice. */
function receivesNotices(viewer: SetupData['viewer']): boolean {
  return (viewer?.noticeSettings ?? []).some(
    ({ topic, frequency }) => (topic === 'payments' || topic === 'reviews') && frequency !== 'off',
  );
}
