/**
 * All English texts for customers: pages, emails, SMS and PDFs. Names in braces are placeholders. Other
 * languages have the same keys and placeholders.
 */
export const en = {
  language: { name: 'English', choose: 'Language' },
  page: {
    skip: 'Skip to payment',
    sandbox: 'Sandbox',
    sandboxText: 'Test mode. Don’t send real money.',
    demo: 'Demo',
    demoText: 'These accounts aren’t real. Don’t send money.',
    footer: 'Payment page by Causeway',
    backToShop: 'Back to {merchant}',
    reload: 'Refresh',
  },
  summary: {
    pay: 'Pay {merchant}',
    converted: 'for {amount} at 1\u00a0{from}\u00a0=\u00a0{rate}\u00a0{to}',
    order: 'Your order',
    quantity: '{quantity} ×',
    reference: 'Order {id}',
    customer: 'Paying as',
  },
  choose: {
    title: 'Choose how to pay',
    otherCountries: 'Other countries',
    methodMissing: 'Select a payment method.',
    firstName: 'First name (optional)',
    lastName: 'Last name (optional)',
    nameInvalid: 'Enter a name of at most 100 characters.',
    email: 'Your email',
    emailHint: 'In case we need to contact you about this payment.',
    emailMissing: 'Enter your email address.',
    emailInvalid: 'Enter a full email address, such as name@example.com.',
    phone: 'Phone (optional)',
    phoneHint: 'Include the country code, such as +852 5123 4567.',
    phoneInvalid:
      'Enter a phone number with its country code, such as +852 5123 4567, or leave this field empty.',
    submit: 'Show payment details',
    nextHint:
      'Next, you’ll see the account details. You pay from your bank or wallet app; nothing is charged automatically.',
    methodUnavailable: 'This method isn’t available for this payment right now. Choose another one.',
    errorSummary: 'There is a problem',
  },
  otherBrowser: {
    title: 'This payment is open in another browser',
    text: 'To protect your details, a payment can be open in only one browser at a time. If that was you, continue here. The payment will then close in the other browser.',
    submit: 'Continue here',
  },
  pay: {
    title: 'Pay {amount} to {merchant}',
    timeLeft: 'Time left',
    until: 'until {time}',
    hours: '{hours} h {minutes} min',
    minutes: '{minutes} min',
    remaining: 'Still to pay',
    received:
      'We’ve received {received} of {requested}. Please send the remaining amount using the same reference.',
    exactAmount: 'We’ve added {added} so that we can recognize your payment. Please pay exactly {amount}.',
    payWith: 'Pay with {method}',
    scan: 'Scan to pay',
    qrLabel: 'QR code to pay {amount} to {merchant}',
    qrSave: 'Save QR code',
    qrDemo: 'Demo: not a real account',
    amount: 'Amount',
    account: 'Account',
    holder: 'Account holder',
    bank: 'Bank or wallet',
    reference: 'Payment reference',
    referenceHeading: {
      inCode: 'Check that the reference is',
      written: 'Enter this as the payment reference',
      uncertain: 'Add this as the reference if your app has a field for it',
    },
    referenceText: {
      inCode:
        'The QR code fills this in. If you enter the details manually, put it in the reference or message field.',
      written:
        'Put it in the reference or message field of the transfer. Without it, we can’t match your payment.',
      uncertain:
        'Not every app has a field for it. Please pay the exact amount so that we can recognize your payment.',
      byMerchant:
        'Not every app has a field for it. The shop checks payments by this method manually, so it may take longer until your payment is confirmed.',
    },
    copy: 'Copy',
    copyLabel: 'Copy {label}',
    copied: 'Copied',
    copyFailed: 'Couldn’t copy. Select the text instead.',
    instructions: 'How to pay',
    details: 'Payment details',
    waiting: 'Waiting for your payment',
    waitingText:
      'This page updates automatically when your payment arrives. You can close it; your payment will still be recorded.',
    waitingByMerchant:
      'The shop confirms payments by this method manually. This page updates when your payment is confirmed; you can close it.',
    waitingReload: 'Reload this page to check whether your payment has arrived.',
  },
  change: {
    link: 'Pay another way',
    hint: 'The account details that you have now will no longer be valid. If you have already paid with them, don’t change the method.',
    keep: 'Back to {method}',
    startAgain: 'Start again',
  },
  resume: {
    title: 'You have already started this payment',
    text: 'A payment of {amount} to {merchant} is still open. Continue with it unless you want to pay twice.',
    submit: 'Continue to pay {amount}',
    another: 'Start another payment',
  },
  arrived: {
    title: 'Your payment has arrived',
    earlier:
      'We received {received} with the payment details that you had before. Please don’t pay again: {merchant} will check it and apply it to this payment.',
    late: 'We received {received} after this payment had ended. It isn’t lost, and you don’t need to do anything now: {merchant} will check it, and either accept it or send it back.',
    contact: 'Questions? Quote the reference {reference}.',
  },
  cancel: {
    summary: 'Cancel this payment',
    text: 'Cancel only if you haven’t paid and don’t want to. A payment already on its way may not be matched.',
    submit: 'Cancel payment',
  },
  paid: {
    title: 'Paid',
    heading: 'Payment received',
    text: '{merchant} has received your payment of {amount}. Thank you.',
    overpaid:
      'You paid {received}, which is {excess} more than requested. {merchant} can see this and can return it to you.',
    reversed: {
      title: 'This payment was reversed',
      text: '{merchant} received your payment, but the bank has since reversed it, or it was matched by mistake. Contact {merchant} and quote the reference {reference}.',
    },
    receivedAt: 'Received',
    paidWith: 'Paid with',
    reference: 'Payment reference',
    amount: 'Amount',
    customer: 'Customer',
  },
  expired: {
    title: 'This payment has expired',
    text: 'The time to pay {amount} to {merchant} has run out. Please don’t send money to this account.',
    nextStep: 'To pay, go back to {merchant} and start again.',
    alreadyPaid: 'Already paid?',
    alreadyPaidText:
      'A payment sent before {time} is still valid, even if it reaches us later. This page shows it when it arrives. If you paid after that, contact {merchant} and quote the reference {reference}; your payment isn’t lost.',
    partialText: 'We received {received}, and it isn’t lost. {merchant} can see it and can return it to you.',
  },
  sessionExpired: {
    title: 'This payment page has expired',
    text: 'You can no longer pay here. You haven’t been charged.',
    nextStep: 'Go back to {merchant} and start again.',
  },
  cancelled: {
    title: 'This payment was cancelled',
    text: 'You haven’t been charged. If you still want to pay, go back to {merchant} and start again.',
    textWithStart: 'You haven’t been charged. You can start again here.',
    partialText:
      'Please don’t send the remaining amount. If you still want to pay, go back to {merchant} and start again.',
    alreadyPaid: 'Already paid?',
    alreadyPaidText: 'Contact {merchant} and quote the reference {reference}; your payment isn’t lost.',
  },
  refund: {
    title: 'Your refund of {amount} from {merchant}',
    from: 'Refund from {merchant}',
    detailsHeading: 'Where should we send your refund?',
    reopened: 'The last transfer was returned (“{reason}”). Please enter your details again.',
    country: 'Bank account in {country}',
    bank: { bankName: 'Bank', bankCode: 'Bank code (3 digits)', bsb: 'BSB (6 digits)', ifsc: 'IFSC' },
    account: 'Account number',
    accountHint: {
      withoutBank: 'Spaces and hyphens are optional.',
      withBank: 'Include the bank and branch, such as 01-0902-0068389-00.',
    },
    holder: 'Account holder',
    holderHint: 'Exactly as it appears on your bank account.',
    errors: {
      bank: 'We don’t recognize this bank. Please check it.',
      account: 'This account number doesn’t look right. Please check its digits.',
      holder: 'Enter the account holder’s name.',
    },
    submit: 'Submit details',
    privacy: '{merchant} uses these details for this refund only. They are stored encrypted.',
    processing: {
      title: 'Thank you, we’ve received your details',
      text: '{merchant} will send {amount} to your account.',
      help: 'This can take a few days. Look for the reference {reference} in your account.',
    },
    completed: {
      title: 'Your refund has been sent',
      text: '{merchant} has sent you {amount}.',
      help: 'Sent {time} with the reference {reference}. Your bank may take a day or two to credit it.',
    },
    cancelled: {
      title: 'This refund was cancelled',
      text: '{merchant} has cancelled the refund of {amount}.',
      help: 'If you think this is a mistake, contact {merchant} and quote your payment reference {paymentReference}.',
    },
  },
  subscription: {
    enrolTitle: '{plan} from {merchant}',
    manageTitle: '{plan} from {merchant}',
    pay: 'Pay',
    start: 'Start subscription',
    startHint: 'Nothing to pay today. You’ll get an invoice before your first payment is due.',
    emailHint: 'We’ll send your invoices to this address.',
    manage: 'Manage subscription',
    newPaymentDetails: 'Get new payment details',
    pdf: 'Invoice (PDF)',
    payNextPeriod: 'Pay for the next period now',
    payToResume: 'Pay now',
    continuePayment: 'Continue paying with {method}',
    noPaymentMethod: 'No payment method is available right now. Please try again later, or contact the shop.',
    changeMethod: 'Use for future invoices',
    invoices: 'Invoices',
    intervals: {
      days: 'every day',
      months: 'every month',
      years: 'every year',
      multiple: 'every {interval}',
    },
    terms: {
      dueToday: '{amount} due today.',
      nothingDueToday: 'Nothing due today.',
      nextPayment: 'Next payment of {amount} due on {date}.',
      recurring: 'After that, {amount} {interval}.',
      renews: 'Renews until you cancel.',
      endsAfterOne: 'Ends automatically after one payment.',
      endsAfterCount: 'Ends automatically after {count} payments.',
      notAutomatic: 'You’ll get an invoice each time; nothing is charged automatically.',
    },
    closed: {
      title: 'This plan is closed to new subscribers',
      text: '{merchant} has closed this plan. If you have already subscribed, your subscription continues.',
    },
    status: {
      unstarted: 'Waiting for your first payment',
      active: 'Active. The next payment is due on {date}.',
      paused: 'Paused: your last invoice is unpaid. Pay it to resume.',
      completed: 'Completed: all payments have been received. Thank you.',
      cancelled: 'Cancelled',
      cancelledUntil: 'Cancelled. Paid until {date}.',
    },
    invoice: {
      title: 'Invoice {number} from {merchant}: {amount}',
      from: 'Invoice {number} from {merchant}',
      name: 'Invoice {number}',
      due: 'For {plan}. Due on {date}.',
      overdue: 'For {plan}. It was due on {date}. Your subscription is paused; pay the invoice to resume.',
      paid: {
        title: 'This invoice is paid',
        text: '{merchant} received {amount} for invoice {number} on {date}.',
      },
      void: {
        title: 'This invoice has been voided',
        text: 'The subscription was cancelled. Please don’t pay invoice {number} ({amount}) from {merchant}.',
      },
      status: { open: 'Unpaid', paid: 'Paid', void: 'Void' },
    },
    reminders: {
      enabled: 'We’ll email you a reminder when an invoice is due.',
      disabled: 'You get invoices by email, but no reminders.',
      disable: 'Turn off reminders',
      enable: 'Turn on reminders',
    },
    cancel: {
      summary: 'Cancel subscription',
      text: 'We’ll email you a link to confirm, so that only you can cancel.',
      textBySms: 'We’ll text you a link to confirm, so that only you can cancel.',
      textUnstarted: 'Nothing has been paid yet, so this cancels the subscription immediately.',
      noAddress:
        'We don’t have an email address or mobile number where we can reach you. Please ask the shop to cancel.',
      submit: 'Email me a cancellation link',
      submitBySms: 'Text me a cancellation link',
      confirmTitle: 'Cancel this subscription?',
      confirmText:
        'An unpaid invoice will be voided. You’ll keep access until the end of the period you’ve paid for.',
      confirm: 'Cancel subscription',
    },
    confirmations: {
      methodChanged: 'Saved. Your next invoice will use this payment method.',
      cancelLinkEmailed: 'We’ve sent you an email. Open the link in it within an hour.',
      cancelLinkTexted: 'We’ve sent you a text message. Open the link in it within an hour.',
      remindersChanged: 'Saved.',
      cancelLinkExpired:
        'The cancellation link has expired, and nothing was cancelled. You can request a new one below.',
    },
  },
  errors: {
    refundEnded: {
      title: 'This link is no longer valid',
      text: 'A newer link was created for this refund.',
      help: 'If you need to change something, please ask the shop for a new link.',
    },
    incomplete: {
      title: 'This link is incomplete',
      text: 'Part of the link seems to be missing.',
      help: 'Open the link from the shop or from your message again, or copy the whole link.',
    },
    notFound: {
      title: 'We can’t find this payment',
      text: 'The link may be wrong or incomplete.',
      help: 'Open the link from the shop or from your message again, or copy the whole link.',
    },
    pageNotFound: {
      title: 'Page not found',
      text: 'The link may be wrong.',
      help: 'Go back to the shop and start the payment again.',
    },
    linkClosed: {
      title: 'This payment link is closed',
      text: 'The shop has closed this link, or its open and completed payments have reached the limit.',
      help: 'Please ask the shop for a new link. If you have already paid with this link, your payment is still valid.',
    },
    liveAsSandbox: {
      title: 'This payment is not a test',
      text: 'This is a live payment, but the link is for the sandbox.',
      help: 'For the shop: remove isSandbox=true, or use a sandbox key.',
    },
    unknownKey: {
      title: 'We don’t recognize this shop',
      text: 'The key in the link doesn’t exist or is no longer valid.',
      help: 'Please contact the shop. You haven’t been charged.',
    },
    disabled: {
      title: 'This shop can’t accept payments here right now',
      text: 'This page is unavailable for now.',
      help: 'Please contact the shop. If you have already paid, your payment is still valid.',
    },
    invalid: {
      title: 'This link doesn’t work',
      text: 'The shop’s link contains details that we can’t use:',
      help: 'Please contact the shop. You haven’t been charged.',
    },
    hashRequired: {
      title: 'This link doesn’t work',
      text: 'The shop protects its checkout with a hash, but the link has none.',
      help: 'Please contact the shop. You haven’t been charged.',
    },
    hashMismatch: {
      title: 'This link doesn’t work',
      text: 'The shop protects its checkout with a hash, but the hash in the link doesn’t match the rest of it.',
      help: 'Please contact the shop. You haven’t been charged.',
    },
    noPaymentMethod: {
      title: 'This amount can’t be paid here right now',
      text: 'None of this shop’s payment methods accept this amount:',
      help: 'Please ask the shop for another way to pay. You haven’t been charged.',
    },
    tooManyOpenPayments: {
      title: 'Too many payments are open on your network',
      text: 'Many unpaid payments to this shop were started from your network, so you can’t start another one right now.',
      help: 'Please try again later, or from another network, such as your phone’s. You haven’t been charged.',
      resume: 'You can still complete a payment that you started:',
      resumeSubmit: 'Continue to pay {amount}',
    },
    crossSite: {
      title: 'We couldn’t verify this request',
      text: 'For your safety, we only accept requests sent from this page.',
      help: 'Open the payment from the shop again and continue there.',
    },
    rateLimited: {
      title: 'Too many requests',
      text: 'There were too many requests within an hour.',
      help: 'Nothing was lost. Please try again in an hour, or contact the shop.',
    },
    unavailable: {
      title: 'This page is temporarily unavailable',
      text: 'Nothing was lost. If you have already paid, your payment is still valid.',
      help: 'Please try again in a minute.',
    },
    unexpected: {
      title: 'Something went wrong on our end',
      text: 'Nothing was lost. If you have already paid, your payment is still valid.',
      help: 'Please try again in a moment.',
    },
  },
  steps: {
    inCode: 'Check the name and the amount. The reference should be {reference}. Then confirm.',
    written: 'Enter {reference} in the reference or message field. Check everything, then confirm.',
    uncertain:
      'Pay exactly {amount}. If the app has a reference or message field, enter {reference} there. Then confirm.',
  },
  methods: {
    fps: {
      name: 'FPS',
      open: 'Open your Hong Kong bank or wallet app and choose FPS, or scan a QR code.',
      fill: 'Scan the QR code, or upload it from your photos. You can also enter the account and the amount manually.',
    },
    'hk-bank-transfer': {
      name: 'Hong Kong bank transfer',
      open: 'Open your Hong Kong bank app and start a transfer to another local account.',
      fill: 'Enter the account, the account holder and the exact amount. The first three digits are the bank code.',
    },
    paynow: {
      name: 'PayNow',
      open: 'Open your Singapore bank app and choose to scan and pay.',
      fill: 'Scan the QR code, or upload it from your photos. You can also send a PayNow transfer to the account.',
    },
    'viettel-pay': {
      name: 'Viettel Money (VietQR)',
      open: 'Open Viettel Money, or the app of any bank in Vietnam, and scan a QR code.',
      fill: 'Scan the QR code, or upload it from your photos. You can also enter the account and the amount manually.',
    },
    'duit-now': {
      name: 'DuitNow QR',
      open: 'Open your Malaysian bank or wallet app and choose to scan a DuitNow QR.',
      fill: 'Scan the QR code, or upload it from your photos.',
    },
    instapay: {
      name: 'InstaPay (QR Ph)',
      open: 'Open your Philippine bank or wallet app and choose to scan a QR code.',
      fill: 'Scan the QR code, or upload it from your photos. You can also send an InstaPay transfer to the account.',
    },
    'prompt-pay': {
      name: 'PromptPay',
      open: 'Open your Thai bank app and choose to scan.',
      fill: 'Scan the QR code, or upload it from your photos.',
    },
    'in-bank-transfer': {
      name: 'UPI',
      open: 'Open any UPI app on your phone.',
      fill: 'Scan the QR code, or send a UPI payment to the account.',
      app: 'Open a UPI app',
      openApp: 'Tap “{app}” above. It opens with the payment details filled in.',
      fillApp:
        'If it doesn’t, open a UPI app yourself, and upload the QR code you saved, or send a UPI payment to the account.',
    },
    'gojek-id': {
      name: 'QRIS (GoPay)',
      open: 'Open GoPay, or any app that supports QRIS, and choose to scan.',
      fill: 'Scan the QR code, or upload it from your photos.',
    },
    'id-bank-transfer': {
      name: 'Indonesian bank transfer',
      open: 'Open your Indonesian bank app and start a transfer to another account.',
      fill: 'Enter the account, the account holder and the exact amount. The first three digits are the bank code.',
    },
    'au-bank-transfer': {
      name: 'Australian bank transfer (PayID)',
      open: 'Open your Australian bank app and start a payment to someone new.',
      fill: 'Enter the account, the account holder and the exact amount.',
    },
    'nz-bank-transfer': {
      name: 'New Zealand bank transfer',
      open: 'Open your New Zealand bank app and start a payment to someone new.',
      fill: 'Enter the account, the account holder and the exact amount.',
    },
    toss: {
      name: 'Toss',
      open: 'Open the Toss app on your phone.',
      fill: 'Scan the QR code, or send money to the account. In Toss, the reference goes in the field for the name shown to the recipient.',
      app: 'Open Toss',
      openApp: 'Tap “{app}” above. It opens with the account and the amount filled in.',
      fillApp:
        'If it doesn’t, open it yourself. In Toss, the reference goes in the field for the name shown to the recipient.',
    },
  },
  mail: {
    invoice: {
      subject: {
        due: 'Invoice {number} from {merchant}',
        reminder: 'Due today: invoice {number} from {merchant}',
        overdue: 'Overdue: invoice {number} from {merchant}',
        paused: 'Paused: your subscription with {merchant}',
      },
      text: {
        due: 'Your next payment to {merchant} for {plan} is due on {date}.',
        reminder:
          'Your payment to {merchant} for {plan} is due today. If you have already paid, you can ignore this email.',
        overdue:
          'Your payment to {merchant} for {plan} was due on {date}. If you have already paid, you can ignore this email.',
        paused:
          'We haven’t received your payment to {merchant} for {plan}, so your subscription is paused. Pay the invoice to resume.',
      },
      number: 'Invoice',
      amount: 'Amount',
      due: 'Due',
      pay: 'Pay now',
      pdf: 'Invoice (PDF)',
      notAutomatic: 'Nothing is charged automatically.',
      manage: 'Manage subscription',
      unsubscribe: 'Turn off reminders (this does not cancel the subscription)',
    },
    refundLink: {
      subject: 'Your refund from {merchant}',
      subjectReturned: 'Your refund from {merchant} was returned',
      text: '{merchant} is refunding {amount} to you. Please enter the bank details to send it to.',
      textReturned:
        '{merchant} sent your refund, but it was returned. Please check your bank details and enter them again.',
      amount: 'Amount',
      reference: 'Reference',
      reason: 'Reason',
      submit: 'Enter bank details',
      note: 'This link is private. You’re receiving this email because you paid {merchant}.',
    },
    cancellation: {
      subject: 'Cancel your subscription with {merchant}?',
      text: 'You asked to cancel {plan} from {merchant}. Open this link within an hour to continue.',
      submit: 'Continue to cancel',
      note: 'If this was not you, you can ignore this email. Your subscription will continue.',
    },
  },
  sms: {
    cancellation:
      'To cancel {plan} from {merchant}, open this link within an hour: {url} If this was not you, ignore this message.',
    phoneCode:
      '{code} is your code for {merchant}. It expires in {minutes} minutes. Do not share it with anyone.',
  },
  invoicePdf: {
    title: 'Invoice',
    number: 'Number',
    date: 'Date',
    due: 'Due',
    paidOn: 'Paid on',
    status: { open: 'Unpaid', paid: 'Paid', void: 'Void' },
    statusName: 'Status',
    to: 'Bill to',
    from: 'From',
    description: 'Description',
    quantity: 'Quantity',
    amount: 'Amount',
    total: 'Total',
    pay: 'Pay by bank or wallet transfer:',
    voided: 'The subscription was cancelled. No payment is due.',
    sandbox: 'TEST: not a valid invoice',
  },
};
