import { enSubscription } from './subscription/en.ts';

/**
 * Every string of the customer's pages, in English. A word in braces is filled in; the other languages have the same keys
 * and the same words in braces.
 */
export const en = {
  language: { name: 'English', choose: 'Language' },
  page: {
    skip: 'Skip to the payment',
    sandbox: 'Sandbox',
    sandboxText: 'This is a test: send no real money.',
    demo: 'Demo',
    demoText: 'No real accounts: send no money.',
    footer: 'Payment page by Causeway',
    backToShop: 'Back to {merchant}',
    reload: 'Check again',
  },
  summary: {
    pay: 'Pay {merchant}',
    converted: 'for {amount}, at 1\u00a0{from}\u00a0=\u00a0{rate}\u00a0{to}',
    order: 'Your order',
    quantity: '{quantity} ×',
    reference: 'Order {id}',
    customer: 'Paying as',
  },
  choose: {
    title: 'Choose how to pay',
    otherCountries: 'Pay from another country',
    methodMissing: 'Choose a way to pay.',
    firstName: 'First name (optional)',
    lastName: 'Last name (optional)',
    nameInvalid: 'A name can have at most 100 characters.',
    email: 'Your e-mail',
    emailHint: 'In case there is a question about your payment.',
    emailMissing: 'Enter your e-mail address.',
    emailInvalid: 'Enter a full e-mail address, such as name@example.com.',
    phone: 'Phone (optional)',
    phoneHint: 'With the country code, such as +852 5123 4567.',
    phoneInvalid:
      'Enter a phone number with its country code, such as +852 5123 4567, or leave the field empty.',
    submit: 'Show payment details',
    next: 'Next you see the account to pay to. Nothing is charged by itself.',
    refused: 'This way to pay cannot take the payment just now. Choose another one.',
    problem: 'There is a problem',
  },
  elsewhere: {
    title: 'This payment is open in another browser',
    text: 'To keep your details safe, a payment can be open in one browser at a time. If that was you, go on here; the other browser will then stop.',
    submit: 'Continue here',
  },
  pay: {
    title: 'Pay {amount} to {merchant}',
    timeLeft: 'Time left',
    until: 'until {time}',
    hours: '{hours} h {minutes} min',
    minutes: '{minutes} min',
    stillToPay: 'Still to pay',
    received: 'We have received {received} of {asked}. Please pay the rest, with the same reference.',
    exact: 'This includes {added}, which tells your payment from others. Please pay exactly {amount}.',
    with: 'Pay with {method}',
    scan: 'Scan to pay',
    qrLabel: 'QR code to pay {amount} to {merchant}',
    qrSave: 'Save QR picture',
    qrDemo: 'Demo: not a real account',
    amount: 'Amount',
    account: 'Account',
    holder: 'Account holder',
    bank: 'Bank or wallet',
    reference: 'Payment reference',
    referenceHeading: {
      inCode: 'Check that the message says',
      written: 'Write this in the message',
      uncertain: 'Write this in the message, if there is one',
    },
    referenceText: {
      inCode:
        'The code fills it in. If you type the payment yourself, write it in the message or reference field.',
      written:
        'Put it in the message or reference field of the transfer. Without it nobody can tell that the payment is yours.',
      uncertain:
        'Not every app has a field for it. Please pay the exact amount: it tells us that the payment is yours.',
    },
    copy: 'Copy',
    copyWhat: 'Copy {what}',
    copied: 'Copied',
    copyFailed: 'Could not copy. Select the text instead.',
    howTo: 'How to pay',
    details: 'Payment details',
    waiting: 'Waiting for your payment',
    waitingText:
      'This page changes by itself when the payment arrives. You may also close it: your payment counts all the same.',
    waitingReload: 'Load this page again to see whether your payment has arrived.',
  },
  cancel: {
    summary: 'Cancel this payment',
    text: 'Cancel only if you have not paid and do not want to. A payment that is on its way may then be late.',
    submit: 'Yes, cancel it',
  },
  paid: {
    title: 'Paid',
    heading: 'Payment received',
    text: '{merchant} has received your payment of {amount}. Thank you.',
    over: 'You paid {received}, which is {excess} more than was asked. {merchant} sees this and can send it back to you.',
    takenBack: {
      title: 'This payment was taken back',
      text: '{merchant} had received your payment, but the bank has taken it back since, or it was counted by mistake. Write to {merchant} and give the reference {nonce}.',
    },
    at: 'Received',
    method: 'Paid with',
    reference: 'Payment reference',
    amount: 'Amount',
    customer: 'Customer',
  },
  expired: {
    title: 'This payment has expired',
    text: 'The time to pay {amount} to {merchant} is over. Please do not pay to this account any more.',
    again: 'To pay, go back to {merchant} and start again.',
    paidAlready: 'Have you paid already?',
    paidAlreadyText:
      'A payment made before {time} still counts, even if your bank takes longer to tell us. This page shows it when it arrives. If you paid later, write to {merchant} and give the reference {nonce}: the payment is not lost.',
    partText: '{received} has arrived and is not lost: {merchant} sees it and can send it back to you.',
  },
  sessionExpired: {
    title: 'This payment page has expired',
    text: 'Its time is over, so nothing can be paid here any more. You have not been charged.',
    again: 'Go back to {merchant} and start again.',
  },
  cancelled: {
    title: 'This payment was cancelled',
    text: 'You have not been charged. If you still want to pay, go back to {merchant} and start again.',
    textPart: 'Please do not pay the rest. If you still want to pay, go back to {merchant} and start again.',
    paidAlready: 'Have you paid already?',
    paidAlreadyText: 'Write to {merchant} and give the reference {nonce}: the payment is not lost.',
  },
  refund: {
    title: 'Your refund of {amount} from {merchant}',
    from: 'A refund from {merchant}',
    whereTo: 'Where should the money go?',
    reopened: 'The last transfer came back: “{reason}” Please enter the details once more.',
    country: 'An account in: {country}',
    bank: {
      bankName: 'Bank',
      bankCode: 'Bank code (3 digits)',
      bsb: 'BSB (6 digits)',
      ifsc: 'IFSC',
    },
    account: 'Account number',
    accountHint: {
      alone: 'With or without spaces and hyphens.',
      withBank: 'With bank and branch, such as 01-0902-0068389-00.',
    },
    holder: 'Account holder',
    holderHint: 'The name as your bank has it.',
    faults: {
      bank: 'Check the bank: this is not a bank that we know how to send to.',
      account: 'Check the account number: some digits are missing, too many or mistyped.',
      holder: 'Enter the name of the account holder.',
    },
    submit: 'Send these details',
    promise: '{merchant} uses them for this refund only. They are kept encrypted.',
    processing: {
      title: 'Thank you, we have your details',
      text: '{merchant} now sends {amount} to your account.',
      help: 'This can take some days. Look for the reference {reference} in your account.',
    },
    completed: {
      title: 'Your refund has been sent',
      text: '{merchant} has sent you {amount}.',
      help: 'Sent {time}, with the reference {reference}. Your bank may need a day or two.',
    },
    cancelled: {
      title: 'This refund was withdrawn',
      text: '{merchant} has withdrawn the refund of {amount}.',
      help: 'If you think that this is a mistake, write to {merchant} and give the reference {charge} of your payment.',
    },
  },
  subscription: enSubscription,
  refused: {
    refundEnded: {
      title: 'This link has been used',
      text: 'The details for this refund have been given, or a newer link has been made.',
      help: 'If something must be changed, please ask the shop for a new link.',
    },
    incomplete: {
      title: 'This address is not complete',
      text: 'Part of the address seems to be missing.',
      help: 'Open the link from the shop or from your message once more, or copy all of it.',
    },
    notFound: {
      title: 'We cannot find this payment',
      text: 'The address may be mistyped or cut off.',
      help: 'Open the link from the shop or from your message once more, or copy all of it.',
    },
    noSuchPage: {
      title: 'There is no such page',
      text: 'The address may be mistyped.',
      help: 'Go back to the shop and start the payment again.',
    },
    linkClosed: {
      title: 'This payment link is closed',
      text: 'The shop has closed the link, or as many payments as it allows are open or paid.',
      help: 'Please ask the shop for a new link. If you have paid by it already, your payment still counts.',
    },
    liveAsSandbox: {
      title: 'This payment is not a test',
      text: 'The address asks for the sandbox, but the payment is a real one.',
      help: 'For the shop: leave out isSandbox=true, or use a sandbox key.',
    },
    unknownKey: {
      title: 'This shop is not known here',
      text: 'The address names a key that does not exist, or is no longer valid.',
      help: 'Please tell the shop. You have not been charged.',
    },
    disabled: {
      title: 'This shop takes no payments here at the moment',
      text: 'This page cannot be used now.',
      help: 'Please ask the shop. If you have paid already, your payment still counts.',
    },
    invalid: {
      title: 'This address does not work',
      text: 'The shop has sent you here with details that we cannot use:',
      help: 'Please tell the shop. You have not been charged.',
    },
    hashRequired: {
      title: 'This address does not work',
      text: 'The shop protects its checkout with a hash, and the address has none.',
      help: 'Please tell the shop. You have not been charged.',
    },
    hashMismatch: {
      title: 'This address does not work',
      text: 'The shop protects its checkout with a hash, and that of the address does not fit the rest of it.',
      help: 'Please tell the shop. You have not been charged.',
    },
    noMethod: {
      title: 'This amount cannot be paid here at the moment',
      text: 'None of the ways to pay of this shop can take it:',
      help: 'Please ask the shop for another way to pay. You have not been charged.',
    },
    tooManyOpen: {
      title: 'Too many payments are open on your network',
      text: 'Many unpaid payments to this shop have been started from your network, so no other one can be started now.',
      help: 'Please try again later, or from another network, such as your phone’s. You have not been charged.',
      resume: 'You have started a payment that you can still pay:',
      resumeSubmit: 'Continue to pay {amount}',
    },
    otherSite: {
      title: 'This did not come from our page',
      text: 'For your safety we only accept what you send from this page itself.',
      help: 'Open the payment from the shop again and go on there.',
    },
    tooMany: {
      title: 'Please wait a while',
      text: 'This has been asked for too often within an hour.',
      help: 'Nothing has been lost. Try again in an hour, or ask the shop.',
    },
    unavailable: {
      title: 'This page is not available at the moment',
      text: 'Nothing has been lost. If you have paid, your payment still counts.',
      help: 'Wait a minute, then load this page again.',
    },
    unexpected: {
      title: 'Something went wrong on our side',
      text: 'Nothing has been lost. If you have paid, your payment still counts.',
      help: 'Wait a moment, then load this page again.',
    },
  },
  steps: {
    inCode: 'Check the name and the amount. The message should say {nonce}. Then confirm.',
    written: 'Write {nonce} in the message or reference field. Check everything, then confirm.',
    uncertain:
      'Pay exactly {amount}. If the app has a field for a message, write {nonce} there. Then confirm.',
  },
  methods: {
    fps: {
      name: 'FPS',
      open: 'Open your bank’s app or wallet in Hong Kong and choose to scan a QR code, or FPS.',
      fill: 'Scan the code here, or choose the picture you saved. You can also type the account and the amount.',
    },
    'hk-bank-transfer': {
      name: 'Hong Kong bank transfer',
      open: 'Open your bank’s app in Hong Kong and start a transfer to another local account.',
      fill: 'Enter the account, the holder and the exact amount. The first three digits are the bank’s code.',
    },
    paynow: {
      name: 'PayNow',
      open: 'Open your bank’s app in Singapore and choose to scan and pay.',
      fill: 'Scan the code here, or choose the picture you saved. You can also pay to the account under PayNow.',
    },
    'viettel-pay': {
      name: 'Viettel Money (VietQR)',
      open: 'Open Viettel Money, or the app of any bank in Vietnam, and choose to scan a QR code.',
      fill: 'Scan the code here, or choose the picture you saved. You can also type the account and the amount.',
    },
    'duit-now': {
      name: 'DuitNow QR',
      open: 'Open your bank’s app or wallet in Malaysia and choose to scan a DuitNow QR.',
      fill: 'Scan the code here, or choose the picture you saved.',
    },
    instapay: {
      name: 'InstaPay (QR Ph)',
      open: 'Open your bank’s app or wallet in the Philippines and choose to scan a QR code.',
      fill: 'Scan the code here, or upload the picture you saved. You can also send by InstaPay to the account.',
    },
    'prompt-pay': {
      name: 'PromptPay',
      open: 'Open your bank’s app in Thailand and choose to scan.',
      fill: 'Scan the code here, or choose the picture you saved.',
    },
    'in-bank-transfer': {
      name: 'UPI',
      open: 'Open any UPI app on your phone.',
      fill: 'Scan the code here, or pay to the account by UPI.',
      app: 'Open a UPI app',
      openApp: 'Press “{app}” above: it opens with the payment filled in.',
      fillApp:
        'If it does not, open one yourself and choose the picture you saved, or pay to the account by UPI.',
    },
    'gojek-id': {
      name: 'QRIS (GoPay)',
      open: 'Open GoPay, or any app that takes QRIS, and choose to scan.',
      fill: 'Scan the code here, or choose the picture you saved.',
    },
    'id-bank-transfer': {
      name: 'Indonesian bank transfer',
      open: 'Open your bank’s app in Indonesia and start a transfer to another account.',
      fill: 'Enter the account, the holder and the exact amount. The first three digits are the bank’s code.',
    },
    'au-bank-transfer': {
      name: 'Australian bank transfer (PayID)',
      open: 'Open your bank’s app in Australia and start a payment to someone new.',
      fill: 'Enter the account, the holder and the exact amount.',
    },
    'nz-bank-transfer': {
      name: 'New Zealand bank transfer',
      open: 'Open your bank’s app in New Zealand and start a payment to someone new.',
      fill: 'Enter the account, the holder and the exact amount.',
    },
    toss: {
      name: 'Toss',
      open: 'Open the Toss app on your phone.',
      fill: 'Scan the code here, or send to the account. Use the reference as the name shown to the receiver.',
      app: 'Open Toss',
      openApp: 'Press “{app}” above: it opens with the account and the amount filled in.',
      fillApp: 'If it does not, open it yourself. Use the reference as the name shown to the receiver.',
    },
  },
};
