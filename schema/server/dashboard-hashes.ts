/** Written by `npm run schema`: the SHA-256 of each query and mutation that the dashboard sends. */
export const dashboardHashes: ReadonlySet<string> = new Set([
  // components/reauthentication-dialog.tsx methodQuery
  '7247b2ff77fe4af65f23b778b7fa5cc524eb9ebe32a8bc3a9cb50e9f8e4126fe',
  // components/reauthentication-dialog.tsx reauthenticateMutation
  '53d6cadca0805bdc0f2dcaee70c8b9e8672894b0b3aefcab96bec2a11e3cc151',
  // pages/access/access-page.tsx accessQuery
  'f7b079d40ddadba435741fe5e2abf80425e82827ee9b856db708daf5875eac1f',
  // pages/access/access-page.tsx requestMutation
  'f1245bb64e5b200dca99b7b385f9e779a8ef98a0000616e951ab06ff64148ce5',
  // pages/account/account-query.ts accountQuery
  '52f715cd88bc3ede7817b3c93ced118c135eeb94d28f420ca606b1e118ba3aa5',
  // pages/account/account-query.ts changeNameMutation
  'd20a71bf371ecb8352e80f8799cb61c86395de40f987d1fc9caee8c5a5094cd7',
  // pages/account/account-query.ts changePasswordMutation
  '5838d536f84a58912789bd77575ba43571435f27a3e559078340975502aed951',
  // pages/account/account-query.ts beginTwoFactorMutation
  'ba76f0cbaa2627122bb4e476e07397e524325e539c08225b8b9f2432dbadf923',
  // pages/account/account-query.ts confirmTwoFactorMutation
  '4662a14713d135696166bfb9803fc4a9f9e0ba2c3d681ea15f10d16da5cdd1c3',
  // pages/account/account-query.ts renewRecoveryCodesMutation
  'be52232fba2a4a91f4b2028ad55e5052e5306ca8cdaefb8297cca45d912cfdf3',
  // pages/account/account-query.ts disableTwoFactorMutation
  '7aac21466b45825aaa8146e1588310033bc68bb4f9c2ffa040ed78dca975d32c',
  // pages/account/account-query.ts endSessionMutation
  'e3cb72eaaad6775bc7bdefd75003220465d5d97df8cd08ef3b61e4a265fd7b5f',
  // pages/account/account-query.ts signOutEverywhereMutation
  '6759d3d6fe3165d86bfc475ce892a3e921d81c83d158c10dcde167ab99aa694a',
  // pages/api-key/api-keys-query.ts apiKeysQuery
  'f71c696cc208c2b892a38a8c9fee4a05a86877ad81a5dc1184e048b93fd9b3cb',
  // pages/api-key/api-keys-query.ts createApiKeyMutation
  'a74f19fbc62483ea7d1627179a98035649e06b2e4299609181eb5c2e316c3d90',
  // pages/api-key/api-keys-query.ts updateApiKeyMutation
  '954a9d01041bf66c6b4ed70a2f4a03466aea05f8553f362db2be418b2ce3bc66',
  // pages/api-key/api-keys-query.ts rotateApiKeyMutation
  '177cbbe0c55f576c2eaaf0e7d1945591504732b44ada6542f080513bdde1f090',
  // pages/api-key/api-keys-query.ts revokeApiKeyMutation
  '782d12f0220022e4a13aa083355b15a19af354f68f0a815b3b89fa3e3268a279',
  // pages/audit/audit-page.tsx auditQuery
  'cfa6d6d6bf2ba0c0a6dcd728dc3a979c1146222dfacf55aef7c61e436b8d3db4',
  // pages/certificate/certificates-page.tsx certificatesQuery
  'e33a4aa3394504cd49c9d632550612cd37c05ec680f587032ee6c287db477c9e',
  // pages/certificate/certificates-page.tsx createCertificateMutation
  '3577fd21263281de3c1599d8ed2aa55886d141b9686367bc809de636168cec6c',
  // pages/certificate/certificates-page.tsx revokeCertificateMutation
  '16237170308507ab217e9b1a3750705850515a987edc5b252a3cee8d6c6ceed7',
  // pages/charge/charge-actions.tsx cancelChargeMutation
  'f32ee33f974241919a985f263a891dd4de58a8f3ae19e99189757cf01daafcc8',
  // pages/charge/charge-actions.tsx completeChargeMutation
  '56c5f1a7ad59761232fbcdb2382bd3435048aac52c996d7bc4fcd5127adcaeed',
  // pages/charge/charge-query.ts chargeQuery
  '7204f6d11409807e605c12029142f720033dfc5b9ba04085fb2be595e9221e43',
  // pages/charge/charges-page.tsx chargesQuery
  '7927b0feb7ebe999ecbfd567b4647000b06ae88dd7a9bbd9504e59f41e02cb90',
  // pages/charge/simulate-transfer.tsx simulateTransferMutation
  '56c6dcf88ce04a2db6c69db75aa969f014e9c168a36aa95f327e0a5d36874411',
  // pages/checkout-link/checkout-links-page.tsx checkoutLinksQuery
  '901a621426fc1b1920e2dae6d67346c1ec2effb2edc106e48d1a7e0ed264fb82',
  // pages/checkout-link/checkout-links-page.tsx createCheckoutLinkMutation
  '1d16775a96a0d49537be17c99887d13a4749e81df7c918199686751e93cd75e1',
  // pages/checkout-link/checkout-links-page.tsx closeCheckoutLinkMutation
  '511158a039aeecee358bc65bd39da8502e2e44057610da716709d7f2ea317767',
  // pages/currency-select.tsx currenciesQuery
  'f2a9d7604a97622efad81ddb580c610be4c0e3ea09378d590d8dabe581258edb',
  // pages/export/export-query.ts createExportMutation
  '8f4a1b9a95b5605bfc685548d1344e7ca19bc0d98ce1b96647be82594f4d9734',
  // pages/export/export-query.ts exportQuery
  '3d3802e72a30bc23a0add8da75581ecfeb4fcce71571d483734658af4c4d6700',
  // pages/export/export-query.ts exportsQuery
  'd9e3df0b0c7a669866d382112d219d157ad86df5ee9b361ec5a297d4e3d9a339',
  // pages/export/use-export.ts reauthenticationQuery
  '3c89d435c1cf14aa091441f76b57166d659a21a86cb94b81834b4701dfadb1cf',
  // pages/home/home-page.tsx homeQuery
  '66ae3ac2f3b71391cf70aa48083e3314874dc90fbd8f50bb139cd742f6c3d4c5',
  // pages/home/subscription-figures.tsx figuresQuery
  'c67c5fa653654a97bf1485dcbbff02ea151d7a34d71b8979311a659faba469d6',
  // pages/invoice/invoices-query.ts invoicesQuery
  '1ab4b49ea4c55b3d0b53afd2a636f78b163e38b6453f8694d072af47b0d44c28',
  // pages/invoice/invoices-query.ts invoiceQuery
  '59970fcacf81d9aa07bbf9116f9efc996e71e93fccb4d38b7f6669f9ed1f20b9',
  // pages/message/message-query.ts messagesQuery
  '8d00e6ceb96814a77a29532bcf220f6cc38c44add98e7909976085a56d0882b3',
  // pages/message/message-query.ts messageQuery
  '2c81fb8a5010d039c875d1401100661243597b8002f7398550a71b661e6adeae',
  // pages/notification/notifications-query.ts notificationsQuery
  'dab8a80b6c71617d4d3d7cf146a088faacdfd95a1acb34ded6fe953d2f7b71dd',
  // pages/notification/notifications-query.ts filterWebhooksQuery
  'e659aae7d42574b31856815cac511423679e91b896832a2ec27aa8aa55b106bd',
  // pages/notification/notifications-query.ts notificationQuery
  '3ab016c96e70d755e997c584497e52f13b6992cbe0705ed325b31d8308e30ca9',
  // pages/notification/notifications-query.ts resendNotificationMutation
  '8f56b1e859b66a4e7dc1e98a628522db3bf326ebdfae3ee5250a0b5df4387895',
  // pages/notification/notifications-query.ts replayNotificationsMutation
  '07fc24de2f426e79cc6d4714afee39354362eb00435612f0f887a382510bf35e',
  // pages/operator/merchants-query.ts merchantsQuery
  'd97ce80220758e8fc74fd8e38de60663da487b678308ce38873a7364ae39c3a0',
  // pages/operator/merchants-query.ts merchantQuery
  'a41eb0b26786f196d7c9f64a2a0b0e9a431b4d9c484a0979d7f85a9574cf7bb9',
  // pages/operator/merchants-query.ts createMerchantMutation
  '460c1e7a7eb9cab32162710914d0640ac049818d30be42695674b5e35d09fd76',
  // pages/operator/merchants-query.ts grantAccessMutation
  '2e6bbaad104517b0038827d3a4b676fd35d6a888773f17abb3df5053b68c8433',
  // pages/operator/merchants-query.ts declineAccessMutation
  '70766e27a017c38f2b65cff8a3a859cdfc5f36a7ef56b0b0fdd636faf2d59d93',
  // pages/operator/merchants-query.ts disableMerchantMutation
  'b08e5409e5096704e54a526f90301b49e7bb3aa8646c23a69424281daf4e51c2',
  // pages/operator/merchants-query.ts switchOperationsMutation
  'd333788188be72c362c70268456ee6eff2f4a256f2f14236f71e71a711498d35',
  // pages/operator/rates-page.tsx ratesQuery
  'c3f8b77143ffc0c8e746a0e02ae1733eba77e492a4392f6aa76f8e4938e9ef76',
  // pages/operator/rates-page.tsx setRateMutation
  '02664f36f1ce93e597b74d201ab9749924d186fe985b5083bcf2b4dd5f2ac860',
  // pages/operator/rates-page.tsx removeRateMutation
  '4483abd1e9460cc40f6a904b981f8993a644b84b8039aff5f8f968622ec9040b',
  // pages/payment-methods.ts paymentMethodsQuery
  'ad271d74d1c5a51ee58de48f69f67eb1dd841ca3d79691f9a25e06114a0bf902',
  // pages/payment-methods.ts methodNamesQuery
  '9c33e0a7785724fe13554df69b0cf2a2e2f20586cf61350ced49b97944951f21',
  // pages/payout/payouts-query.ts payoutsQuery
  '7f99832e24bf823b2f5c06e98fccfbe05439256a8e432f8586916958ed290d50',
  // pages/receiving-account/receiving-accounts-query.ts receivingAccountsQuery
  'b843f618c32ee9f1ce51e4cf707bd6d82a8cca1922c6207bbea9b5310cbdd572',
  // pages/receiving-account/receiving-accounts-query.ts receivingAccountQuery
  '6027721121f62c2fc251330173a8b4a539e69fb07fdc021513ed907865f37030',
  // pages/receiving-account/receiving-accounts-query.ts accountSampleQuery
  '4dc7d04a349215086b5663cadbda05b92b09ddd4027963f7e54b0a77dfcead51',
  // pages/receiving-account/receiving-accounts-query.ts accountTypesQuery
  'c51a0a8ff2cb768d292e6220588bc06bf9334d2ab9e795cba20639a7d27de506',
  // pages/receiving-account/receiving-accounts-query.ts createAccountMutation
  'a7d071672d91d8ff5e22c17158c964d9615f02ebcc84250d6c26b206c54301e2',
  // pages/receiving-account/receiving-accounts-query.ts updateAccountMutation
  '5797613a420285ac53605a1ede78a3ffc3ff8506d2732768c5fd8f2bb7e865fb',
  // pages/receiving-account/use-account-names.ts accountNamesQuery
  '984d8fcfeca1381d2ddae630d4ed3501c69cd68f7ae9c3e3ed028446c23d5bd2',
  // pages/reconciliation/reconciliation-page.tsx reconciliationQuery
  '18082cfb753fd5fef34f1b74344054492cbfbcac7c9fca3850e4b4e105594b02',
  // pages/refund/refund-query.ts refundQuery
  'ff2298a53cc7db44d7888e983efeaaf5e8eee63b3644301e7dbd194876336683',
  // pages/refund/refund-query.ts refundLinkQuery
  'f84513f6e8ac56c173b2eea28453dc89ffc3bd811d36c20689119328536bc7b1',
  // pages/refund/refund-query.ts createRefundMutation
  '0ad5fbae15640bd2a38ef9eb924b1b7afd16bdc073a3ae7a05246a35589299b1',
  // pages/refund/refund-query.ts cancelRefundMutation
  '83b5ffdf7f5f7da6e6fe2c7f91b127bb5ccdec2b28156f9483916f0e9ba39fdb',
  // pages/refund/refund-query.ts completeRefundMutation
  'f8c68b86f7245da40f51cb9e86d554e2915fd87defe203c5d65bdc608e60bd37',
  // pages/refund/refund-query.ts reopenRefundMutation
  '79d5492f7e245e06befb5102a898cc387aae10952b90da71d218b5b48753ecb3',
  // pages/refund/refunds-page.tsx refundsQuery
  '39273ccd2db5da80fa6c5a12e745f52ea911584af6d93152677364c22846636d',
  // pages/session/sessions-query.ts sessionsQuery
  'c43a2754356b3353e186a111efde57207e854ec7b1dfb2e05ea0477686f32656',
  // pages/session/sessions-query.ts sessionQuery
  'b3ed28a000e0d5fca0b97331631ad271c7adc0ba6700c5591d6309024c8c5ce5',
  // pages/session/sessions-query.ts createSessionMutation
  '6806ba88c9fbf9e078e698075bbbb66d20c637e2e1348fa36f6f95af83619ef0',
  // pages/session/sessions-query.ts cancelSessionMutation
  '3aa495cda56228688021d17ae528c224735d6dcc8e4276e62c878f2082bca455',
  // pages/settings/settings-query.ts settingsQuery
  'f370fe7873c26fe6ece86f9d8e83d01433dacb5e631a2cc738fac8d8f63a0993',
  // pages/settings/settings-query.ts updateSettingsMutation
  'e96b5bf1418b7fd6451aa9fd18464ae3430d9792bd565a352c7e7d75a562ac08',
  // pages/sign-in/forgot-password-page.tsx requestPasswordResetMutation
  '4997ed26b3f55df028e1c53842819a19a193653007bf022d5313348faa1cf9df',
  // pages/sign-in/invitation-page.tsx invitationQuery
  '5eeed2ac9fe65af7b2cd053f16ef588ef487e02be4554e5d3b5c197ab8c62944',
  // pages/sign-in/invitation-page.tsx acceptInvitationMutation
  '8c8708366197af9c6f82bf8ba25bd5f918d82213f2cdb8201892b64ded09bb5e',
  // pages/sign-in/reset-password-page.tsx resetPasswordMutation
  '2c429fb363b64cb2e1b3e11100ea968fdfa02a82cda6bd3235776372e443b721',
  // pages/sign-in/sign-in-page.tsx signInMutation
  '3f1a37ada440aa54953160734c0e6087cbb1b84df33663a303be7d2e160ceb1d',
  // pages/statement/import-query.ts previewStatementMutation
  'e1f85456f34cc3b72fd7184ad4e5ddfa16689738c283c8783eecc3154c02ef84',
  // pages/statement/import-query.ts importStatementMutation
  '91405c67f4af812ee1deb0fecbfc42000de8c4a020554f5fc7df63fe0c74c780',
  // pages/statement/statement-page.tsx statementQuery
  '741f0bfd51a4782de132c8ed9d074f46ef0bb41d8c23b10301e1e5feacd8a350',
  // pages/statement/statements-query.ts statementsQuery
  'ed139c75854710a1cc581825909e4b7adffe84ac9daba7f6b9a95b9cea639747',
  // pages/subscription-plan/plans-query.ts plansQuery
  'd9e74f61f27805cb8cd2bf4278b2b9e700791275081b344a362c149d71e16290',
  // pages/subscription-plan/plans-query.ts planNamesQuery
  'ae8d51e9f26e23e8d6bd30e476b77b88ede3be692d7673b3793ce5d4a6b4db0d',
  // pages/subscription-plan/plans-query.ts planQuery
  'd64d3930d151bf5f96b9c7b880aa1403eacb6c0a7474572f470f777249e3fd59',
  // pages/subscription-plan/plans-query.ts createPlanMutation
  'bb99e78a12e740cc54243933f7567b769743d1472669230d546339e0cdeb72b1',
  // pages/subscription-plan/plans-query.ts updatePlanMutation
  '64cbce361c12a2bc3260c9999891cb839f7a97d0648c8328fb96a788272acd5d',
  // pages/subscription-plan/plans-query.ts createSubscriptionLinkMutation
  '6ff24aeb9d270c26b45d07ed00cf19466f15c323f67c9cf4dd19a8b449d464cb',
  // pages/subscription/subscription-query.ts subscriptionQuery
  '4d1fe87223c7bcced9866714f15b91ad4d4fbc24ec0a811ed6b7be636f0360f2',
  // pages/subscription/subscription-query.ts cancelSubscriptionMutation
  'ae9b911cb130756a8ae7bf595dde2b2ecf6c2de02cd44c2c6d51cf8b553be101',
  // pages/subscription/subscriptions-page.tsx subscriptionsQuery
  'b221645cd575fb92b2704fc418c693758914c916231c7a7a0db1b3b4a64da7f2',
  // pages/test-clock/test-clock-page.tsx testClockQuery
  '4a710b2f1244755fd110e38d2aa4e4752c234fdfb8710a04fe5e6be547ca4d2d',
  // pages/test-clock/test-clock-page.tsx advanceTestClockMutation
  '8338719af0e1edb28c9edbd507ddf87dd31e291066de6a0745a2944e57dd466d',
  // pages/transfer/transfer-query.ts transferQuery
  '1867dc81198d19729959ccd244bfd80511f629ddf513bc2f0daee6daf404c5df',
  // pages/transfer/transfer-query.ts assignTransferMutation
  'c44e846a52880de785ed6650b8ef6425b42bb47fb966ae4a2915b632e575e56e',
  // pages/transfer/transfer-query.ts splitTransferMutation
  '7a63e6c5e21bfa3dae2470b3c633b84b1fd5299223b27a8d6f91008d9c0738ce',
  // pages/transfer/transfer-query.ts returnTransferMutation
  '2c1ec1ed3b91ab141ae7db523253ac9bfd8148a335e023b67ccb95cd30ba3bb3',
  // pages/transfer/transfer-query.ts unassignTransferMutation
  '4f91f785182f652c9ad3f15d919709c4f42967438341a77a92e40605b7faad4f',
  // pages/transfer/transfer-query.ts pairTransferMutation
  'a123e92d536e28ec16771a224f4fd44b350a1dd199e68c6d64d3331c8067d41d',
  // pages/transfer/transfers-query.ts transfersQuery
  '187e7d989cf2e373e100100c8efa52e66b0aa57e419d91de4973340f32c6b4fd',
  // pages/transfer/transfers-query.ts recordTransferMutation
  '31b05d12a1c8e1f65538c7327bbbc548b8865811265c09e017a4873a68324f60',
  // pages/user/users-query.ts usersQuery
  '09386cebec23ba165437281f10d0393bb98dba5c40560f6c30adbc8d8bc4b6aa',
  // pages/user/users-query.ts invitationsQuery
  '41f7dedfac68a8732ba124639cfb623e070218e02ac1df1c32f135f0e7c76248',
  // pages/user/users-query.ts inviteUserMutation
  '14ee7fce0842116fde2cef136a9f5a2cb493c2fc31d331d7fb7706771e60048a',
  // pages/user/users-query.ts resendInvitationMutation
  '610492415de6411df2b3b6d421dd2829077b3be83e311fbd0f575384762be307',
  // pages/user/users-query.ts withdrawInvitationMutation
  '4843a062a9f0cbe0c7299d6a0330a6c64a693df66ed9976e675731818659a969',
  // pages/user/users-query.ts updateUserMutation
  '4706a3496c31ea1cd0c1b9c93240c6fa54b22c9c7fb4d5ea2fa3f864d248b623',
  // pages/user/users-query.ts removeUserMutation
  '2cdb4e58af7dda8a7deb3b41ffa9dd9fca53f40c8c4870e284bee965707d03c0',
  // pages/webhook/webhooks-query.ts webhooksQuery
  '71728a0beb5e0bab96999cad0dfaac3db356e8b612afe165b4b650ca402c4004',
  // pages/webhook/webhooks-query.ts createWebhookMutation
  '7ce1e546c1292402fcaa4f769bb3521e4cc73bab90c4b35621f93430139dd245',
  // pages/webhook/webhooks-query.ts updateWebhookMutation
  '1e6b1ce04e58ae5451016b6ecedd21a8684ce5809552fc81f84d5d4de796618e',
  // pages/webhook/webhooks-query.ts deleteWebhookMutation
  '6a1ad285cc22f9ab8df75b07e48eb9457ed5c62848f0abfdb8d8176d161a551e',
  // pages/webhook/webhooks-query.ts rotateWebhookSecretMutation
  '41cbff744a019b6a34d72591bd533a1be99923e7bd1995cc5c3dd76efe741619',
  // pages/webhook/webhooks-query.ts sendTestMutation
  '3c605b679a93581a06c7af2936e3b26cd25e92f3628813e453d58010b4db03d1',
  // pages/webhook/webhooks-query.ts dismissAlertMutation
  'e6cb98e1ab0c28efb475a44b18c134956438036c0a7c5909cc02d1b2b7f01c60',
  // shell/use-sign-out.ts signOutMutation
  'eed791e21ce4c385d4c6ab687a850208b2977710a8854ec5011a9b3098f0065b',
  // viewer.ts viewerQuery
  '3d514be5f125dd12e72f686eafaa4bc2b240a79fdb9bda401236181a62769c6c',
]);
