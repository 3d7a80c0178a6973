/** Written by `npm run schema`: the SHA-256 of each query and mutation that the dashboard sends. */
export const dashboardHashes: ReadonlySet<string> = new Set([
  // components/reauthentication-dialog.tsx methodQuery
  '82f95af5def60b38f049a7c2adf92d414da6bd03f021ee666c260c5799225234',
  // components/reauthentication-dialog.tsx reauthenticateMutation
  '01628f1165ef94b680e13ceace7a0604db6112529c47cb62ff6c4e167d106f43',
  // pages/access/access-page.tsx accessQuery
  'bf50f334c2a6be32ed549e94a008a1186fe10dae4d26474df2ec5557ec588ac4',
  // pages/access/access-page.tsx requestMutation
  '9fe96429a146c8ad0c12bbe6277703b4c876654e556eab99666112b7653505d1',
  // pages/account/account-query.ts accountQuery
  'cca8cf1281ae801c987a37e142fd935dd47dc633293cc085d07b67a8703baa33',
  // pages/account/account-query.ts updateViewerMutation
  '7e5b38d94ef1db7bd11b5c557746778ccfb89a41068f1e5b0db835fc744a1b62',
  // pages/account/account-query.ts changePasswordMutation
  '9a6dc514cd71b8475ec7cdbc07b95ebda5ecbabb212a5c06b1fb3709e9583c15',
  // pages/account/account-query.ts beginTwoFactorMutation
  'b537cb89e64718c2e4d5a5ea6bdc74ca0bdd9321642e4f353ed23da7f0a4c1f4',
  // pages/account/account-query.ts confirmTwoFactorMutation
  '90f035ee0385538b053d92a3d98e7d7050e95720daa5da90c6236914b3fd24c2',
  // pages/account/account-query.ts regenerateRecoveryCodesMutation
  '1c07a92ffb76c86f60260d2b386c13a789b384c9f7970af1dcce4050e1962b90',
  // pages/account/account-query.ts disableTwoFactorMutation
  '560862286950939f0a2b43b1f2de88b99ecb29428477f0f734048811ce053410',
  // pages/account/account-query.ts endUserSessionMutation
  'b29c6e04f0a08cd2216f8861af20ec7c20d56955bbb3011482196f29922ed9f4',
  // pages/account/account-query.ts signOutEverywhereMutation
  '49057027059cf85de173492bfeddf79ed12e11b1bb6a92b18b41f6e14ffbb4d6',
  // pages/api-key/api-keys-query.ts apiKeysQuery
  'f71c696cc208c2b892a38a8c9fee4a05a86877ad81a5dc1184e048b93fd9b3cb',
  // pages/api-key/api-keys-query.ts createApiKeyMutation
  '5ee81426b2d796f47469aa9395b66cf5f69fa1f37dcc2c372655856924255a1d',
  // pages/api-key/api-keys-query.ts updateApiKeyMutation
  '06e7ffaeafe2d0e27889cefaec3588d989e504e2d085bb36ed56caf826d773ef',
  // pages/api-key/api-keys-query.ts rotateApiKeyMutation
  '60aca48de0c3ee663bd79783857cc73f9a06d1a1872841d0b18b9f2424cc0feb',
  // pages/api-key/api-keys-query.ts revokeApiKeyMutation
  '19176cc4225218c69f0c1d3e64b97726f1261927a96de0e59f6515a3bf9d06d9',
  // pages/audit/audit-page.tsx auditQuery
  '6e65e0cf2549a1816a0349b035dfaab66d140172c57ccce8a6f0cc6191df3960',
  // pages/certificate/certificates-page.tsx certificatesQuery
  'e33a4aa3394504cd49c9d632550612cd37c05ec680f587032ee6c287db477c9e',
  // pages/certificate/certificates-page.tsx createCertificateMutation
  '3a243a841ec1c68c27ea89ae109cb3eca0d68de57acb28f6707cfa615d029fa6',
  // pages/certificate/certificates-page.tsx revokeCertificateMutation
  '80c370126457d8f9abf2e2adc24a146f09e7a8ca9f7d62aedb46cc0e4e0fccd3',
  // pages/charge/charge-actions.tsx cancelChargeMutation
  '298f2c45645cf64bb48aece4f722018ebc6f479efa505b3d84f0d29b59df3eb8',
  // pages/charge/charge-actions.tsx completeChargeMutation
  'cf8690f7113761eeb04b6c7703f54446be69e28df45ae42b9187d356e5329641',
  // pages/charge/charge-query.ts chargeQuery
  '98390976e69e7ce71aee1747598f9005aa4fed41f5edd17b15969aca6dd8ccf8',
  // pages/charge/charges-page.tsx chargesQuery
  '7927b0feb7ebe999ecbfd567b4647000b06ae88dd7a9bbd9504e59f41e02cb90',
  // pages/charge/simulate-transfer.tsx simulateTransferMutation
  '2807e87b73e303f94a983c3be9c037f4e229158297723703966c0d8ce9333624',
  // pages/checkout-link/checkout-links-page.tsx checkoutLinksQuery
  'a4bb3c4d20ac1ffcde8354a3b8fbba31d383d6513c9d5d3d47ab0fc24e195262',
  // pages/checkout-link/checkout-links-page.tsx createCheckoutLinkMutation
  'be3242928c905bdca519131816da3eeba24e40f1fdf3b1adff1f199d6df24a36',
  // pages/checkout-link/checkout-links-page.tsx closeCheckoutLinkMutation
  'b5ed81176311721ecd24cc1ad0a4f7e12c69b619d9f8d815aab153fa2f3784f3',
  // pages/currency-select.tsx currenciesQuery
  'f2a9d7604a97622efad81ddb580c610be4c0e3ea09378d590d8dabe581258edb',
  // pages/export/export-query.ts createExportMutation
  '936f85fb03b8656356d5179a55003036c21c32fcee4bdf35e24072c09ce6431a',
  // pages/export/export-query.ts exportQuery
  '3ae4c94ca7674e5516583ed426513ae62ab02138852c84b05b36804daef9948a',
  // pages/export/export-query.ts exportsQuery
  '2f08e7490e4cb39943761230a78ff990b34e432aad77861c8b0cf4588d3c9779',
  // pages/export/use-export.ts reauthenticationQuery
  '1bbf714e477f238f6a851a50bc58b080a2c0eb8550eb151aa8fe3595683f4aba',
  // pages/home/home-page.tsx homeQuery
  'cfbccc41257aac7e7bbab8086677c9703c2f18f2399d9b0e6c51724cedc969fd',
  // pages/home/subscription-figures.tsx figuresQuery
  '16e676b71f64622c86c0d5f1ee5d9daa6131b5bd5a42282594bfb52d91b5723b',
  // pages/invoice/invoices-query.ts invoicesQuery
  'b2e770b301faf031f5eb2cf88ce62ae11da3c85af24b79a94c2802ca2311a992',
  // pages/invoice/invoices-query.ts invoiceQuery
  '939f37014a1778fbbb320bc57b5b6f83ae7e8df08e468821a5f1b947dfe5ac23',
  // pages/message/message-query.ts messagesQuery
  '1d497200a757983beaad6d5129ab130525293d2ade670fd66dc97ed28d02c30b',
  // pages/message/message-query.ts messageQuery
  'c45cbc77449869ebdee0e1b39323ed274d1c44e7c33664ac1b05425a3d94a1f4',
  // pages/notification/notifications-query.ts notificationsQuery
  'a1d2ab51ae3ba4cf994ef2427436807f21ba01edfb2d83f8c11d7ebd754a3c45',
  // pages/notification/notifications-query.ts filterWebhooksQuery
  'e659aae7d42574b31856815cac511423679e91b896832a2ec27aa8aa55b106bd',
  // pages/notification/notifications-query.ts notificationQuery
  'a08071fd78eea15f80b5044aa5709dde4eeb3d02f3cbf65c17dd353a57090968',
  // pages/notification/notifications-query.ts resendNotificationMutation
  '0d62f459d5f36652230fcbb02359e993d081eca888c3569b46a0cb4c1a1f10fa',
  // pages/notification/notifications-query.ts replayNotificationsMutation
  '2f7f932c3d9013b1c1fd40816059deb86bfc21e9bf11279f634cdebe0e5a06f4',
  // pages/operator/merchants-query.ts merchantsQuery
  '193b809dccecc753a69428270f816e85ea28474228e0c7d71e893ccdb348f441',
  // pages/operator/merchants-query.ts merchantQuery
  '500f8bfbd44b870f97af332057cbf3233e168e8c56bb35a92fd3d732e503160c',
  // pages/operator/merchants-query.ts createMerchantMutation
  'e0838e1d936cac124f65541324c222c05379f61d8105a63ee1dd7290568c4fbb',
  // pages/operator/merchants-query.ts grantAccessMutation
  '6b128f9087484bdf7e31a7614f9f95ec618cf39ad326d0df64a20d5ea7f71bf2',
  // pages/operator/merchants-query.ts declineAccessMutation
  'f29527453b4bd0632290b7718a64e6df944519aab323ad3eaa5c5a9b37b68f4c',
  // pages/operator/merchants-query.ts setMerchantEnabledMutation
  '1a6a83f62cce8f21038286c0d50e74a79e2823f02cda467d3b1850bb63466bec',
  // pages/operator/merchants-query.ts setOperationsEnabledMutation
  '6a477bbfee22c970ad589ae209f0c4e8c079cecd045019b7d781ba1fe1643a35',
  // pages/operator/rates-page.tsx ratesQuery
  'f54ffcd045725565e2a5f7c0387f84838ceca3ac282e2caf9a6807aafb408d47',
  // pages/operator/rates-page.tsx setExchangeRateMutation
  '03b21ae79454d29ea66b59a5a97353b7a4e70d7559154a99663cd272b38990d7',
  // pages/operator/rates-page.tsx removeExchangeRateMutation
  '41303a5d5d115a771f4ab70784b0b7ded235b93a9f7ac8b8395d3d4e3c519548',
  // pages/payment-methods.ts paymentMethodsQuery
  '0090d37121a26edeb00f34a7188e306b6f7888a9abbad936d1f646e921ae2b58',
  // pages/payment-methods.ts methodNamesQuery
  '9c33e0a7785724fe13554df69b0cf2a2e2f20586cf61350ced49b97944951f21',
  // pages/payout/payouts-query.ts payoutsQuery
  '05f9eaed6b4fe19acef1f0b59d5fbeafe9fd67f5fff91a0512e906ebe6f101dd',
  // pages/receiving-account/receiving-accounts-query.ts receivingAccountsQuery
  '3aa92f9d64d03180955f76b78baab27a65d5b9dfa93b066cc8c6b0ab708d82c5',
  // pages/receiving-account/receiving-accounts-query.ts receivingAccountQuery
  '4b6fb1550fb3bf55232c0729f7caca58bd8948cbc1b080ec7f367dac01bbf414',
  // pages/receiving-account/receiving-accounts-query.ts accountSampleQuery
  '4dc7d04a349215086b5663cadbda05b92b09ddd4027963f7e54b0a77dfcead51',
  // pages/receiving-account/receiving-accounts-query.ts accountTypesQuery
  '16718fd271e93e2c0f818d7fea868defa5bd0888e5c7ec8bc720e7a8af933ed0',
  // pages/receiving-account/receiving-accounts-query.ts createAccountMutation
  '88c49c12589da06d2b4e72322e02c3222af77c753afae211d868293c730f9608',
  // pages/receiving-account/receiving-accounts-query.ts updateAccountMutation
  'c098a36504df61fbcac5bdc29ee76f442148711e1d586d35178ddc4de403bf8f',
  // pages/receiving-account/use-account-names.ts accountNamesQuery
  '984d8fcfeca1381d2ddae630d4ed3501c69cd68f7ae9c3e3ed028446c23d5bd2',
  // pages/reconciliation/reconciliation-page.tsx reconciliationQuery
  '37fe876d904a37473c5f2a9b5879cc5f8bf7c377ee2949e381a3ba2cdf3cd660',
  // pages/refund/refund-query.ts refundQuery
  '9e6872200b2551f9c1bdfdc680495445c76d395c378eebfd1777bc909d59ba94',
  // pages/refund/refund-query.ts refundLinkQuery
  'f84513f6e8ac56c173b2eea28453dc89ffc3bd811d36c20689119328536bc7b1',
  // pages/refund/refund-query.ts createRefundMutation
  '3c9084e2b7ecf527f223e081f8346197beee08933d6d5db04dea7c868a122f26',
  // pages/refund/refund-query.ts cancelRefundMutation
  '72b00d29678f6e5c6dbcc4a64b23172aeac32413a55193a8db41e79333c347d4',
  // pages/refund/refund-query.ts completeRefundMutation
  '0e8fc41c725d0b4ee001c98f69b4e9466798384d1447db2d552ffaed94f2f9f8',
  // pages/refund/refund-query.ts reopenRefundMutation
  '5e81bbb4ee7a1e14a0e5de8f1f3fa59bb79699ded559875effe71b47c68454ef',
  // pages/refund/refunds-page.tsx refundsQuery
  '39273ccd2db5da80fa6c5a12e745f52ea911584af6d93152677364c22846636d',
  // pages/session/sessions-query.ts sessionsQuery
  'c362bee47e3ce4d9f8c156e2429afddd7b6d075770e19ea680c3cc563ce0c62e',
  // pages/session/sessions-query.ts sessionQuery
  '67caaf19751287b26374206a9b9efc16bdbc8f8add8ece2ca2bb74baad2e32e6',
  // pages/session/sessions-query.ts createSessionMutation
  'e8e0bea89954dfbb0e4098c628cf842dd755153d92e9cb4b7406dad51bd49799',
  // pages/session/sessions-query.ts cancelSessionMutation
  '0539c49e7d9b816f46c3db1b3abb8e95a6ed9b7f9544a22539206f639a2840c1',
  // pages/settings/settings-query.ts settingsQuery
  '59571d6a59e58dbd787f670cc1565028eb51cb94628e12d795f04ef65c974e87',
  // pages/settings/settings-query.ts updateSettingsMutation
  '572669220a59489d4031ff5c95604a5ddf90e033057ed0167aaa5982742ffa89',
  // pages/sign-in/forgot-password-page.tsx requestPasswordResetMutation
  '382b3e65db8a3a9403c1733ccbfa4d191be6e2603be2bb6fc1aea07369054a49',
  // pages/sign-in/invitation-page.tsx invitationQuery
  '8e46c92b0e0927a74ed8bc523cdbe8970613f1076cf0ed71bdf0e36524610cfc',
  // pages/sign-in/invitation-page.tsx acceptInvitationMutation
  '990703beead787e6302d577b5ccbe1622aa4fb84da17049904e91b0115410634',
  // pages/sign-in/reset-password-page.tsx resetPasswordMutation
  'b2c9bcf7b741742401aec74d378602b4200b193dda381ce738a2f041f60ebcd6',
  // pages/sign-in/sign-in-page.tsx signInMutation
  'e0a8e8a33a8ab6b4e449482e2d124569bfa7c0e7b5252e16cf1407456fae9749',
  // pages/statement/import-query.ts previewStatementMutation
  '706853e1610b9dfd2e6b9d732a3dbcfae54035c4326b3d53e37bca67cd5f7f2e',
  // pages/statement/import-query.ts importStatementMutation
  '6ab5ee925128496c88bb4f90dbeb3b5c3d38fcc867027b45a6ffd001e50af9e0',
  // pages/statement/statement-page.tsx statementQuery
  '2f275199e7b4a649d994abf46207b4c7cfc33c2d59afab03f060e2c454c8512f',
  // pages/statement/statements-query.ts statementsQuery
  'e889a467b09d7320f3dd6821ecc5342847b6bd2a567ceb5bae0b21ff8dd31f2d',
  // pages/subscription-plan/plans-query.ts plansQuery
  'd20c16ac22636edea4bd965ff0c5ea9c7976126ce17565d1b6fb497d2f0905a0',
  // pages/subscription-plan/plans-query.ts planNamesQuery
  'ae8d51e9f26e23e8d6bd30e476b77b88ede3be692d7673b3793ce5d4a6b4db0d',
  // pages/subscription-plan/plans-query.ts planQuery
  'a7ddd7924555ad3489238db3e2d27ca50b2c0cc5a03fdd5dfbc042a483cd596e',
  // pages/subscription-plan/plans-query.ts createPlanMutation
  '6f4ef958a7d75fe45909f9bf68081fd145ed5c784e1382d9d23f01a22a9a49ba',
  // pages/subscription-plan/plans-query.ts updatePlanMutation
  'd3b7d4b84a74786fab2840a5b78abb064267253bd0baa2201ee50c5b85e3cf2c',
  // pages/subscription-plan/plans-query.ts createSubscriptionLinkMutation
  'b57d7fe4b87404212267290ef91cd666f940d89f725ba229b7bec4316acb76ce',
  // pages/subscription/subscription-query.ts subscriptionQuery
  '949b6c1acbd0f4a5f34e49adf9105b34e4210bc4d99ebef24addecda70a86013',
  // pages/subscription/subscription-query.ts cancelSubscriptionMutation
  '12f8d1d9276c9ed30490a8ad58ce1d6e3647b5edb50c137e71230bb6622ea308',
  // pages/subscription/subscriptions-page.tsx subscriptionsQuery
  '0dc37c685d344f6fc471aa1008f72a79eb164cb9489bb76bd7884867c20a89b6',
  // pages/test-clock/test-clock-page.tsx testClockQuery
  '4a710b2f1244755fd110e38d2aa4e4752c234fdfb8710a04fe5e6be547ca4d2d',
  // pages/test-clock/test-clock-page.tsx advanceTestClockMutation
  '56ec5ee5b6de3b89f38d14d70e8dd212e6a59549c4dda852453aeada1f7b28cf',
  // pages/transfer/transfer-query.ts transferQuery
  '459c1acbb5b2a557fda2487f9affe8ed03edd9ea1b3b4eee13737a8241fca149',
  // pages/transfer/transfer-query.ts assignTransferMutation
  'bc4cae676b2893302103511d2f3e7a9087399192fbd12043ad2b16cd08e7e21a',
  // pages/transfer/transfer-query.ts splitTransferMutation
  'e2f429792e87758184ec5ad0bf616db51c673b0d660b907053f3ae70a0cadad6',
  // pages/transfer/transfer-query.ts returnTransferMutation
  '58d43ac1225f9f98bce3ed7ae25e03be70f1dc13da945c31aedb1a0ea5d95e55',
  // pages/transfer/transfer-query.ts unassignTransferMutation
  '9548a96358a80221b06926537ec133b78533c376be2d6e665dcbead2a2f46fcc',
  // pages/transfer/transfer-query.ts markAsDuplicateMutation
  'd7dbcbf807a9514cedcc49ad29d6c05c3926c403ef803da122cb65ca5b281bd6',
  // pages/transfer/transfers-query.ts transfersQuery
  'f3a5dd766ae157e75543b457de9993bbe318660df530507b32f6cb7a498907dc',
  // pages/transfer/transfers-query.ts recordTransferMutation
  '767d80bc523ab5fc1a56a47293481b23421edd45be5eb81fdc95be08b99d44a9',
  // pages/user/users-query.ts usersQuery
  'ffa44947b2e603ed166edcc1235d126dee24e0384e16dfe6ba170d0f782099ca',
  // pages/user/users-query.ts invitationsQuery
  'da0d9567a740031873c0f88e6d3655454ecec748feb96b5586e2960f484e643d',
  // pages/user/users-query.ts inviteUserMutation
  '6cd58b9da9919bbfcec9b2e82a28778941fe0388551c3ce02e01fc678c9e67fa',
  // pages/user/users-query.ts resendInvitationMutation
  'ced73085f6821d0ce2a376114ba84833235d2c3aaefa5a460da17c8954534e5d',
  // pages/user/users-query.ts withdrawInvitationMutation
  '1d0fdb894c7a7f9cdeae3d9d6b2741d4394d6e270cf39b0f313dded105613e3b',
  // pages/user/users-query.ts updateUserMutation
  'b147d6d02906035817266cf45e6052ec087b544357f5f52d811b0745517cc262',
  // pages/user/users-query.ts removeUserMutation
  '0e2be9d56393da4a5d07b5bc258f959e9440f3a893233473e9708052f61b16f8',
  // pages/webhook/webhooks-query.ts webhooksQuery
  'b43bad1c4de74897faae123dbb7e521e60a4a85bb0ae2ffd0656ff1a6b5d8b00',
  // pages/webhook/webhooks-query.ts createWebhookMutation
  'dc20b66df71c60ce76126d68dd734950e136d58244169e9c84bac3190862e739',
  // pages/webhook/webhooks-query.ts updateWebhookMutation
  '6541dbf8c99afeace3522ce329adcb339e3e6fe4691fc244712699ad4e1a1c69',
  // pages/webhook/webhooks-query.ts deleteWebhookMutation
  'befa32d304c099d8b3279e30746260f25c6b07258f4c1af6f2ee09253feedf46',
  // pages/webhook/webhooks-query.ts rotateWebhookSecretMutation
  '3283d56244ea856264a5084e40d06bf836111946de47922596cfc1e483fedcfa',
  // pages/webhook/webhooks-query.ts sendTestMutation
  'b0a5ca68fe15eda3452a54c59864857574a68a0fa76b970d9828d0d6db795162',
  // pages/webhook/webhooks-query.ts dismissAlertMutation
  '1894527bca1eaa25a9d2839beb9abef420735a6ac765cf9406ffb4fcb5df2c65',
  // shell/use-sign-out.ts signOutMutation
  'eed791e21ce4c385d4c6ab687a850208b2977710a8854ec5011a9b3098f0065b',
  // viewer.ts viewerQuery
  '5247d8c9cf44eb17ea20a1899e6253f3a9ca64998a615ca8b72b9de4b3086c9f',
]);
