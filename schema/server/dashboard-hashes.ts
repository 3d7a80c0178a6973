/** Written by `npm run schema`: the SHA-256 of each query and mutation that the dashboard sends. */
export const dashboardHashes: ReadonlySet<string> = new Set([
  // components/reauthentication-dialog.tsx methodQuery
  '82f95af5def60b38f049a7c2adf92d414da6bd03f021ee666c260c5799225234',
  // components/reauthentication-dialog.tsx reauthenticateMutation
  'fafaeaf479d04cf4d455a80e661de9b9f9f9baaf4ec3a56ea98fa13dbd2d7677',
  // pages/access/access-page.tsx accessQuery
  'bf50f334c2a6be32ed549e94a008a1186fe10dae4d26474df2ec5557ec588ac4',
  // pages/access/access-page.tsx requestMutation
  'ea36cdc12e0362d2522ab88a9a8acb62fee4d0b7979326939da6bb8d87edf181',
  // pages/account/account-query.ts accountQuery
  '2d8fe0ce1396092421eba3759a0c64298aee00cad8c6c940e557a13624830f12',
  // pages/account/account-query.ts updateViewerMutation
  'e75f5afd40a91afb1658996a310bfa2794e611e0fddc34ed206411323a8bc70c',
  // pages/account/account-query.ts updateNoticeSettingsMutation
  'a93ca85d62cb5fac1f21b0fd809ce2cb512abd8b23d3d7564520d329db6cdc6a',
  // pages/account/account-query.ts sendTestNoticeMutation
  '2f7066110e56b2fdc886de632a73079421b857301b414c847bcb818855409383',
  // pages/account/account-query.ts testNoticeQuery
  '43f208bf25fad78a24735f5aaeb20afe886e026ce43bb9633e67ccc2fb5858e8',
  // pages/account/account-query.ts changePasswordMutation
  '93df4452f8f35e498590487e57917f1a01906a7fe4602fa391cba48c8925dcc6',
  // pages/account/account-query.ts changeEmailMutation
  '025ff4dcc09f1a8acbaa6e20717e2f59be9d3252f7c6e57c1764cc7d8b0c08ab',
  // pages/account/account-query.ts pendingEmailQuery
  'e1d18940bff99b01baab9fd5ef2ff1df8ce5677c30fa94e7741c28dff2c7bcf5',
  // pages/account/account-query.ts confirmEmailChangeMutation
  '48fe1477dba5d9cd62e95a3b77cac71951117935cb2b6d55b494b506f71beda0',
  // pages/account/account-query.ts beginTwoFactorMutation
  'f2e485f850d949cf57dfa715f4739f5a44bdea5af4232f0773110e7c4ddf3253',
  // pages/account/account-query.ts confirmTwoFactorMutation
  '4a25695200e9f9c4e2aa95df691e01afa5d099ab0352803ce9215d07903a9cfa',
  // pages/account/account-query.ts regenerateRecoveryCodesMutation
  '42b7f41771f1feeebd1a66d49e708b4eddfa59a9c6432387bc0006563f7a3e73',
  // pages/account/account-query.ts disableTwoFactorMutation
  'c3463618c44c8f9b514a585cfea8ebb25d4b48a88c0b9d8f32440450d726d468',
  // pages/account/account-query.ts endUserSessionMutation
  'd8dff3df34fc481b5dbbd1ab81c5d93df7d48ca8f92b41b9703afad927ad599f',
  // pages/account/account-query.ts signOutEverywhereMutation
  'df203507897c6bb53d265ddb8ff0568a17bc50d116a0b0bcd73755a11fcec07f',
  // pages/api-key/api-keys-query.ts apiKeysQuery
  'f17805e6a83e5ea9f6439444046378d9d09b781d8a930212c09bb632b46cf22d',
  // pages/api-key/api-keys-query.ts createApiKeyMutation
  'db899ada6b3d870558cb89f7fd9b6ce47f2f56f2ec80329dfd652b3d1e80c159',
  // pages/api-key/api-keys-query.ts updateApiKeyMutation
  '533d31ffcba2c9227123871c357b479c863f1b02c9c99a7b8c4dda28b4e12920',
  // pages/api-key/api-keys-query.ts rotateApiKeyMutation
  '56e6b15a71f6bef435917e8064f3b64a961c1f850a9841a0b08333a21a490dd3',
  // pages/api-key/api-keys-query.ts revokeApiKeyMutation
  '29793d4fc715c46eff83f936139e4d09e0dc4d662a4b12e524b4251421ea503f',
  // pages/audit/audit-page.tsx auditQuery
  '7036fa0c507c07fd4654eb124a68f0fc9d5c8276c79b38964dc9ad461ba072b7',
  // pages/audit/use-actor-choices.ts teamQuery
  '56d2c99ce3919f74c7b0eb8f798d3c39d821de1f5c681c25b36ce8cf5784252c',
  // pages/audit/use-actor-choices.ts keysQuery
  '52d13f760b25202162d0f45a637117c84c4bfeaebaec4661601b6eb2d7c8dcfa',
  // pages/bank-feed/bank-feeds-query.ts bankFeedsQuery
  '5647945654f166b8244aca1b9f103f4e3694663f8ad0be44c1691a945fd7c2ad',
  // pages/bank-feed/bank-feeds-query.ts bankFeedQuery
  'c2ed1ad96a02d6f9232c90f46f05096224c0404b2153a6a6cbb9a0c49c448979',
  // pages/bank-feed/bank-feeds-query.ts feedDeliveriesQuery
  '7d6e95ad793a44adbfd64aaadb23c0c99f05d6204d9d7ce7ebeeb1d18c688863',
  // pages/bank-feed/bank-feeds-query.ts feedDeliveryQuery
  '2a871d6e5cd67f1390ae788c865c4d1306c16084350ab84cf3cea449f35c14a1',
  // pages/bank-feed/bank-feeds-query.ts createBankFeedMutation
  '016b7fcb8f8d1ea74b2f21b307067d5f3f279fd916fd19c0f85818bd73ca9979',
  // pages/bank-feed/bank-feeds-query.ts updateBankFeedMutation
  '80f431043b180c026593f8a35acfc3f1e18af4e09cdd813cd8fa2ecefa2e86e1',
  // pages/bank-feed/bank-feeds-query.ts deleteBankFeedMutation
  '723c5d26cf02f6cebda8a3673e55de81550a13da7e638dbead202218763024f7',
  // pages/bank-feed/bank-feeds-query.ts confirmBankFeedMutation
  '4230b5df1d81cb11f02806408ff30f398a51d317312079a2540d3d073c7e31c6',
  // pages/bank-feed/bank-feeds-query.ts processFeedDeliveryMutation
  '5f2e63fba2c0cffd768adc6e7fb5fe9673603328400109d8c6263543cdd6137b',
  // pages/bank-feed/bank-feeds-query.ts pollBankFeedMutation
  'cba9805dcb0cc5188357404b305480fe873d2fff9fef766c3a6a2d46ed2be851',
  // pages/books/books-page.tsx booksQuery
  '624ce558a8b996dcce686e130029d76a163bb44207986354afc76b81c824f137',
  // pages/certificate/certificates-page.tsx certificatesQuery
  'a780424dff5b41aceed25349f8155e137dccca34988ccaf813b835592e557488',
  // pages/certificate/certificates-page.tsx createCertificateMutation
  '4ed2afe8e073152d376a75ffd03b6ba088885300e3b08f524308e8a9764df122',
  // pages/certificate/certificates-page.tsx revokeCertificateMutation
  'c89e1ae6da2e7acbd98c35b19006484c0631ed90ae362cd531d44f8f09ae24f8',
  // pages/charge/charge-actions.tsx cancelChargeMutation
  '36968228fffea51590004945cf27b880296cf53e968ed9dc8055be7a17644066',
  // pages/charge/charge-actions.tsx completeChargeMutation
  '35c7eade6529f4c3d710d8a870e137bbc29289d79e7faf0f117b550ac3070372',
  // pages/charge/charge-query.ts chargeQuery
  '6c936a82a05208952c721dd569f1e9cac594e777f7606c8656081c9bca8c8924',
  // pages/charge/charge-query.ts updateChargeNoteMutation
  'ea51505cf3c0ce91274eded7b8e488180101aa4fbcf5e0d0ab454cd7a3f62dcf',
  // pages/charge/charges-page.tsx chargesQuery
  '51f723f8ed00a6eaf7ffe4b4d5209ec200dcb7e458f9d04c0bf9ea6038984561',
  // pages/charge/part-payment.tsx acceptShortfallMutation
  '3c33fb394b8e4a64c33755d204e564e67ef233a50ea099787cd868669c766421',
  // pages/charge/part-payment.tsx extendChargeMutation
  '27e38ad88377a0ef4627aa62183c4cbdf75747d41cdab8dadcddd1e556ec261a',
  // pages/charge/send-receipt-button.tsx sendReceiptMutation
  'a22b00a8a074e4f979e9306330d9c5ddc58a312f38a7abdf27504afc87f9153c',
  // pages/charge/simulate-transfer.tsx simulateTransferMutation
  '9194c1ea79862cdbf0bea29b6f1895191bfd15b3bd703b0bb84e606bb1dba57a',
  // pages/checkout-link/checkout-link-filter.tsx linkNameQuery
  '1ce1aaff2fbd956d932956ba90220e1d400d8ce58ae7d2237ff67571c603c830',
  // pages/checkout-link/checkout-links-page.tsx checkoutLinksQuery
  '7e8e4cb0071c82cbe4086e085d4b2092a6ea49ca5dc7825b43c19116bb70de02',
  // pages/checkout-link/checkout-links-page.tsx closeCheckoutLinkMutation
  '13cb6b646787a49c6a4969aa1e118177926f761b1c41deb94c32a949afb5da17',
  // pages/checkout-link/edit-link-button.tsx updateCheckoutLinkMutation
  '058a4878b3cdff8664d025a9607c02a24456a91870edcbb8c138dc7066743d52',
  // pages/checkout-link/new-checkout-link.tsx createCheckoutLinkMutation
  'f71662b1dfc13a1dfd950a6edd16a3479c3d03128debfc901bc8fa1145352e8c',
  // pages/checkout-link/share-dialog.tsx shareQuery
  '793f59342f628496208b9b75497bd1dee40766994b3929ee0d0efff050815a02',
  // pages/counter/counter-queries.ts pointOfSaleQuery
  '1adc27b416fba34790e6b92c44b1115a6b27730bca76b603bc10e370b6530010',
  // pages/counter/counter-queries.ts createCounterSaleMutation
  '8493ed547fcb447e4abac1a0774dc43d77c25ed12b2c62fae5a8d351a7727f2f',
  // pages/counter/counter-queries.ts chooseCounterSaleMethodMutation
  '4e82e56e3169beac8a62a57a78509498498e8efbbea39c81f18d1a1e297b4b03',
  // pages/counter/counter-queries.ts cancelCounterSaleMutation
  '3f6ff25d7ec97efe578fbcbb05751689cc2b095b171f76158ab717542ced60a4',
  // pages/counter/counter-queries.ts simulateCounterPaymentMutation
  '7ac9881eb8a6fc828575e58f891d429e3af57c7f228ed1bad7e9419ec69c7dfe',
  // pages/currency-select.tsx currenciesQuery
  'f2a9d7604a97622efad81ddb580c610be4c0e3ea09378d590d8dabe581258edb',
  // pages/customer/customer-query.ts customersQuery
  'a53c03e0a6cb9261fb892b1cde024e9f11ae6890cd7064e39df8c94513d8b249',
  // pages/customer/customer-query.ts customerSearchQuery
  '48e2794c9a51fd5a6a687778ba97c6645a946ae470341726a0d34364c2be9544',
  // pages/customer/customer-query.ts customerQuery
  '7049f6fb1498a719eb5f1f59b6ec79c88744a2b8101887c881f98e98c9a46dda',
  // pages/customer/customer-query.ts updateCustomerNoteMutation
  '1631513f71f3de56f87a16c778ec46fa6dc000e1ca43c065764d495e54adde3e',
  // pages/export/export-query.ts createExportMutation
  '414167c199215b0a45a98340a991dead08d8ea7ec07d2b82351fef97a1eda240',
  // pages/export/export-query.ts exportQuery
  '21919854cff92ffe83b05414db2a6628de251df3008a2cc5db6dcac3e000206f',
  // pages/export/export-query.ts exportsQuery
  'df70ed7bf15325faba3775c7028fabeb2ea9dbb994f4aab2ac396dfc1a873252',
  // pages/export/use-export.ts reauthenticationQuery
  '1bbf714e477f238f6a851a50bc58b080a2c0eb8550eb151aa8fe3595683f4aba',
  // pages/home/home-page.tsx homeQuery
  '4a061aef1e0e50713c19a2841859903b0e534e9c0f91c22c06660bcb205de998',
  // pages/home/sample-data.tsx createChargeMutation
  'de7121aded6ace03328d169ef7c4af3171e1f3354cddfd9ded61efe9e13eb04f',
  // pages/home/sample-data.tsx simulateMutation
  'cb5120f21f6a865505e2336eaab7cbc173bc6f2661fd589347a0bfae15f15463',
  // pages/home/setup-query.ts setupQuery
  '98b64ffb0592a29f888d9a42b86e9ba4dbbbaf9949b7961456cb0236fd42f712',
  // pages/home/subscription-summary.tsx summaryQuery
  '16e676b71f64622c86c0d5f1ee5d9daa6131b5bd5a42282594bfb52d91b5723b',
  // pages/invoice/invoices-query.ts invoicesQuery
  '92aaa06b8bd90c13bb10cf07649d712457f73dfdea81634a6eb711d525b4a628',
  // pages/invoice/invoices-query.ts invoiceQuery
  'aef4f38eb43ade77746e2c7bd2550f729d7c7cac8538837b5aa28ceee80bd079',
  // pages/invoice/invoices-query.ts markInvoicePaidMutation
  '41fd65464e27881a78f96461d507ff410a3d81e63ae6ab240971e3228b280426',
  // pages/invoice/invoices-query.ts voidInvoiceMutation
  'fa82f732b503069246517bd9ae62b382568029bafae7631af8f73a1b6a26279e',
  // pages/invoice/invoices-query.ts resendInvoiceMutation
  '97b3aaf8bbe456525d61a58d3efe12a5af7aa82e6e11c55035470e1e8381bbc1',
  // pages/message/message-query.ts messagesQuery
  '8c2a5641cd8515974548d11c3bdda2d01e6d08249d756e56d7fc51de488dd2c6',
  // pages/message/message-query.ts messageQuery
  'c45cbc77449869ebdee0e1b39323ed274d1c44e7c33664ac1b05425a3d94a1f4',
  // pages/missing-rates.tsx missingRatesQuery
  'b52d75048957acff56d294a1757d4dee95495dd599e303cb56e044d951facf54',
  // pages/notification/notifications-query.ts notificationsQuery
  'b1f3aee4fa42cf2d93ebb4963991529c28215b79ead205be05bb694c1b3b282f',
  // pages/notification/notifications-query.ts filterWebhooksQuery
  'e659aae7d42574b31856815cac511423679e91b896832a2ec27aa8aa55b106bd',
  // pages/notification/notifications-query.ts notificationQuery
  'a08071fd78eea15f80b5044aa5709dde4eeb3d02f3cbf65c17dd353a57090968',
  // pages/notification/notifications-query.ts resendNotificationMutation
  'ac46fe735aa0f740afbda2030591d241b2c5f5e063aa648202ca80e179478bf1',
  // pages/notification/notifications-query.ts replayNotificationsMutation
  '70a3cbdf001e3d63bfcb4506ec9667567e88bd65f675daf3f3861e8a472f9b38',
  // pages/operator/health-query.ts healthQuery
  'bd6d2be81323ffca49b44183d64f3e2a828ed90833ee745327cdb73c605d9adc',
  // pages/operator/merchants-query.ts merchantsQuery
  'bcf120e438a2610a4d4872198cf92c65a6cb64b29f335c2c1feecf3ed1ef9d35',
  // pages/operator/merchants-query.ts merchantQuery
  '32c85a3886dfd95fe9847426cbb4b8d7f193a8104a13491193ed1d4ac4a8505c',
  // pages/operator/merchants-query.ts operationNamesQuery
  '4f26e2600a07ca4968aaf888ca5301e90adf2fde0bd79a7cb4bbb57f2c876662',
  // pages/operator/merchants-query.ts createMerchantMutation
  '519ba090dc413bf811cda48c503dca758d4a39c8dfe045dbfe486dc3915aca5c',
  // pages/operator/merchants-query.ts grantAccessMutation
  '023d39e8b192ed7cda8097ffa030d9710dc146ac2da4d1f8da5073d61a92c19d',
  // pages/operator/merchants-query.ts declineAccessMutation
  '8df3114c0cb38280a451704dd2da2defb828775ad2285a2519793c56ed405c84',
  // pages/operator/merchants-query.ts setMerchantEnabledMutation
  '971c30ea6d10998b6ce849b37b43758fba9f615f0cc23ade05131457e4793493',
  // pages/operator/merchants-query.ts setOperationsEnabledMutation
  'e1a2cb25c0e69512ac88758ead929d4c007b2ccbe3cfdd26eab7d478ef2547a6',
  // pages/operator/rates-page.tsx ratesQuery
  'f54ffcd045725565e2a5f7c0387f84838ceca3ac282e2caf9a6807aafb408d47',
  // pages/operator/rates-page.tsx setExchangeRateMutation
  '5c73b2ba16e0c1d73a39d15cf162500ebc792e216dee833e33138aae74536b63',
  // pages/operator/rates-page.tsx removeExchangeRateMutation
  '2d1d478700ccd69c66c2ac78d26c03fab88e45cf0ebcb536299cea0a077db772',
  // pages/payment-methods.ts paymentMethodsQuery
  '0779802c3b3ee92b18afe93366b6346cbcf2809b0fd2909f94b92d8cdd5505d8',
  // pages/payment-methods.ts methodRegionsQuery
  '70830f779ef9f8b091062d62df2b87e36c2089df1c971f6a6a287ab8cf7d1b6c',
  // pages/payout/payouts-query.ts payoutsQuery
  'dc617490a11757fc96cddc5e9caaf510310cefa5f1f713111a7f89ab3d37d46f',
  // pages/receiving-account/receiving-accounts-query.ts receivingAccountsQuery
  '5b6cf1737b3c2db81ec0a2103edaeddd8786dd60ce6c6408be8e67293d21fca9',
  // pages/receiving-account/receiving-accounts-query.ts activeAccountsQuery
  'a71525c516a639e4097efb0631fed80cbb3e7dd90e2ccef77a995ff42aa3bfaf',
  // pages/receiving-account/receiving-accounts-query.ts receivingAccountQuery
  '41a19726c71b2d77da11c23547cd6994a5a9519904367d03be4ddb46cb4e66dd',
  // pages/receiving-account/receiving-accounts-query.ts accountSampleQuery
  '4dc7d04a349215086b5663cadbda05b92b09ddd4027963f7e54b0a77dfcead51',
  // pages/receiving-account/receiving-accounts-query.ts accountTypesQuery
  'f4aded4fdd7ea479cdab358d57989ff893d615f856607c76409561d46f98876e',
  // pages/receiving-account/receiving-accounts-query.ts createAccountMutation
  'ff5d8fca83e7ca629e23959f70f5b3a0fd31db52b89a03fdbf098290812903bd',
  // pages/receiving-account/receiving-accounts-query.ts updateAccountMutation
  'dd51237b6b69bee3c4bbbc494a028b75f7f3b40115514c5b9aaa005e271cdd79',
  // pages/receiving-account/use-account-names.ts accountNamesQuery
  '01e5efa9aace18d0105f4dffdc4b567ab03bd644d060f9a79cb1a014474e96d9',
  // pages/reconciliation/reconciliation-page.tsx reconciliationQuery
  'bd97920ecb58261ec8dff6a0083a6be7a9f6c602749ae95dbb73ca527cebb6e8',
  // pages/refund/refund-charges-button.tsx refundableQuery
  '55be45fc95193477bde73687b8090edc226aefa8a970799600314be9122ad141',
  // pages/refund/refund-query.ts refundQuery
  '57a840402d5ae1a82b9322120cb69e8a879e9fcabb543fc06324949a66d612d1',
  // pages/refund/refund-query.ts refundLinkQuery
  'f84513f6e8ac56c173b2eea28453dc89ffc3bd811d36c20689119328536bc7b1',
  // pages/refund/refund-query.ts createRefundMutation
  'dc2fcb78dd75bd2f493407934b583784b74e3273fc1602a427ff4995d39f0990',
  // pages/refund/refund-query.ts submitRefundDetailsMutation
  'e0b402bdd6e7607e8b09ad06893562d6ac05b1999fb3364d39f79bcbbd110d33',
  // pages/refund/refund-query.ts cancelRefundMutation
  'c8083c700822c89e9fdebc3ba09e44b2a78246589d78173e810c6ae1158a6df8',
  // pages/refund/refund-query.ts completeRefundMutation
  'cd3532a133d172aeced5b203e9530d50642e1bc78de55f1592dab77d7d3734b5',
  // pages/refund/refund-query.ts reopenRefundMutation
  'e106f7df43026d281351f58f45f35dba924e92c304f2128aa164f3dbd3917ccf',
  // pages/refund/refund-query.ts undoRefundCompletionMutation
  '63d2bc68767a95dae196940515efa348cda3df886ae38b2112143ef8349169aa',
  // pages/refund/refunds-page.tsx refundsQuery
  '17b41ea13c4d98906d4a8aba54e5d9ce34eab3e439cb2fdbb3bee85f3bc2e2b1',
  // pages/review/review-query.ts reviewQuery
  'ef035c77a806bfda3c465e6a044026133ec94d0b0b918c638e65e5eb7b98d329',
  // pages/review/review-query.ts ignoreRulesQuery
  'ed853fbf29dbd7c27524b0e9b6ad731c7faec5189962e6a8dbde4d659cb1867b',
  // pages/review/review-query.ts ignoreRulePreviewQuery
  '672146289e1632495482be617b30097523bafe898ec69a16920e53574e494181',
  // pages/review/review-query.ts createIgnoreRuleMutation
  'aa0162ae9e92b93030c82045b54d192d11e7de795b64a25f417d49800afd2616',
  // pages/review/review-query.ts deleteIgnoreRuleMutation
  'f0dfa33fac66e92cfe7d66f7ffc109121292a9ad8338c3feefe5cd1af2820c42',
  // pages/search/search-query.ts searchQuery
  '57f1a1c3d231ea54b6526d37e2e2ba7b2ca0c2b5389ce65f03250a756cd86905',
  // pages/search/search-query.ts chargeSearchQuery
  'fd43cdcce39e36bdbbffbcfc4ad2061ffc33aa2d836efdcbf29de4771c501531',
  // pages/search/search-query.ts customerPickerQuery
  'e2ffa5352dae9e46aad99555afab594dbad05ca69cb89675c84406b766bc1279',
  // pages/search/search-query.ts transferSearchQuery
  '017d729aea510af931ae6a898467dabd4dcefca7045e76ce51577ce627c839a0',
  // pages/session/sessions-query.ts sessionsQuery
  '7e38444393e6ae52e4ace6c6db1ab125375045b0d39f7a7fbbf313a1586b6184',
  // pages/session/sessions-query.ts sessionQuery
  '042fa8641439038b469c347af78484c7fa66b047f2a75d5f09c1cd04ddf7b3b1',
  // pages/session/sessions-query.ts createSessionMutation
  '637ce56d41df649cfae6bb04cd50af2b733ff462f81cc9182f9ff4efdab48a4e',
  // pages/session/sessions-query.ts cancelSessionMutation
  '6f8e413e6837619bc147c1f572b8a105d4b3f1d015b08cef6f573a1c8330ff26',
  // pages/settings/delete-sandbox-data.tsx deleteSandboxDataMutation
  '4a9148f92d7eb2a96c548571f5b2a09a07030c4024e79bc27b2f7432f9dff826',
  // pages/settings/settings-query.ts settingsQuery
  '049c6b820e705c5c955f59aa1d9f9fc3671b5f9d91093bf1f164657691080f4f',
  // pages/settings/settings-query.ts updateSettingsMutation
  'd67ab33c54d1030b7eef61fdba10947e956e3cd7ce6d643d5dad6a5649045524',
  // pages/sign-in/forgot-password-page.tsx requestPasswordResetMutation
  '1fb32b5c2172a868d1f9f37fff470839db165224d37a81c7a7c2abefeb9313a2',
  // pages/sign-in/invitation-page.tsx invitationQuery
  '8e46c92b0e0927a74ed8bc523cdbe8970613f1076cf0ed71bdf0e36524610cfc',
  // pages/sign-in/invitation-page.tsx acceptInvitationMutation
  '9c9a63beda145a0fb7b5ae38d38478898b8435c006685a4a1e90d02201b34f99',
  // pages/sign-in/reset-password-page.tsx resetPasswordMutation
  'dea96542a80cf6c2e1a114e1f737c18213b491e6eb74fb12bb48cb8bc1165094',
  // pages/sign-in/sign-in-page.tsx signInMutation
  '65da1426b7a9665fd74bd2a8a14703151718b420bbfbe47a623314e65106dcc1',
  // pages/statement/import-query.ts previewStatementMutation
  'ecc3cf5be4f24df335c2113187873c15b8de5672a5e0dbd7ff364e75a71f4b4e',
  // pages/statement/import-query.ts importStatementMutation
  '1ebc53db58edc2ed06aa4a4f4e7211fcfee5e8a1cc8ea5a468e938a077d54827',
  // pages/statement/pending-entries.tsx pendingEntriesQuery
  'e85ff99c25b3230913b40a8fb1eb90d9fc9a1f0bf067e02a995f5fe7c93dca73',
  // pages/statement/statement-actions.tsx undoPreviewQuery
  'f210f94bbca79edfe4b225d450e7ab282dc1978f2a930e985cf9a0a0e4ebc0ce',
  // pages/statement/statement-actions.tsx cancelStatementMutation
  'aae89fbcfe09e5e4200d31ae402d3f0aa27383e816abb561bea20bd179ef8204',
  // pages/statement/statement-actions.tsx confirmStatementMutation
  '01bb88884bcd8eabc3c58a1953c110d0eb8f0bcf609ab4ae207a04deb334387f',
  // pages/statement/statement-actions.tsx undoStatementMutation
  '9baaccd3a6946114e433d32b2c8e5955eb95bf13e08acbc3e99c772da07900d1',
  // pages/statement/statement-query.ts statementQuery
  '081244fc2ae9055f5a71e177a79251ab9b75fc2b74cf9808d779ba96c944042b',
  // pages/statement/statements-query.ts statementsQuery
  'f1de77ad5c61cecba08962efb934f2ddce8163d5e24c4e8efffee083b735dd8c',
  // pages/subscription-plan/plans-query.ts plansQuery
  'd3a38623d6f0387538629c526c510e86797e2254122238aed0ee2809f66f4a40',
  // pages/subscription-plan/plans-query.ts planNamesQuery
  '158759b952be6d25b23a010aefda782d5e96a2ae69ca322b686ec212b58c3c98',
  // pages/subscription-plan/plans-query.ts planPricesQuery
  'fb9158937371bd6bfd8c4f4a730dfb1c8a8cf004f780931386d7ee21ade7bcce',
  // pages/subscription-plan/plans-query.ts planQuery
  '86007eb6f5283d106c36b4438621958cbbbb356e5cfca92a88a6386915de19c5',
  // pages/subscription-plan/plans-query.ts createPlanMutation
  '7047eb71ce0e2713699529a41de2f2f0141be618144462e2c482a0d56de454be',
  // pages/subscription-plan/plans-query.ts updatePlanMutation
  '1d5f1bf661d164f7ca47aa49a1f06becc67e81052870f96bc645446915391fee',
  // pages/subscription-plan/plans-query.ts createSubscriptionLinkMutation
  'b3aa01723221032369b2ba3b09f082250af146ad609ae1e552df0b05a6cb0b5b',
  // pages/subscription/pause-dialog.tsx sandboxTimeQuery
  '0e413d4d9030c17de26e2bb0ee6cbfc91fd341ff62d473132bec0a1fe1a3c9ce',
  // pages/subscription/subscription-query.ts subscriptionQuery
  '66e573c4c8c378843cd0771b3ab13b6697c9c5756f8721cc001e9381ee2dfe7e',
  // pages/subscription/subscription-query.ts pauseSubscriptionMutation
  '0430da59c2ee1cce078aeca46169b18ebec1c98472a0d3b830980c6686a962ee',
  // pages/subscription/subscription-query.ts resumeSubscriptionMutation
  '11220f87a3fec0ff65a693d7743c35d75119d93721197bb3c2eb1c46ebfa0ad5',
  // pages/subscription/subscription-query.ts skipPaymentMutation
  '06319e3e55a195286ea0dc7ec013be3a821242583997eb49455ab84eab4c0c19',
  // pages/subscription/subscription-query.ts replaceLinksMutation
  'e9e03f0ef9a936a9bfc66dafaba56240bba870a8e91ce19277520cba03d4ef02',
  // pages/subscription/subscription-query.ts changeTermsMutation
  'b9b5930bec2d6837151e1af25df1153d3955da58d46f6bf3d2cedcdd95613e67',
  // pages/subscription/subscription-query.ts cancelSubscriptionMutation
  '7f73ed622d96f4c826dc452fb44002a9d3120880b4713b31a000ba92ac70bbd4',
  // pages/subscription/subscriptions-page.tsx subscriptionsQuery
  'cc463b06437622402ec879a0085958e0035ae5e5639024d31f39675b865b38a3',
  // pages/test-clock/test-clock-page.tsx testClockQuery
  '4a710b2f1244755fd110e38d2aa4e4752c234fdfb8710a04fe5e6be547ca4d2d',
  // pages/test-clock/test-clock-page.tsx advanceTestClockMutation
  'fb2b8141057881ce6ac08ce31b279154d10483f4e2c9753c64df64718a5c5aca',
  // pages/transfer/record-transfer-dialog.tsx recordTransferMutation
  'cc8c87fa2088d4794abd09918113463a1ce181c5282d033d0496ae82f0cd6442',
  // pages/transfer/transfer-query.ts transferQuery
  '3dafd39cb95e190ac3aac0c4c7b645dff591c428735f0b099faf59004a1156d7',
  // pages/transfer/transfer-query.ts assignTransferMutation
  '7f6870f91ad7a2c2e0ae6b28d56ea038eed7cd59e08420bc1f6952d2be196293',
  // pages/transfer/transfer-query.ts dismissTransfersMutation
  'efa605b6d8f36b669e1688ee85ffb1e43a47ce0d48d9d6ff900c7fc034cd940c',
  // pages/transfer/transfer-query.ts updateTransfersMutation
  '7d95f63f43bf7f1c2c3c7eeb23b6a78c9c8e407c3183f1652d577f0618a8ce6e',
  // pages/transfer/transfer-query.ts createChargeForTransferMutation
  '29013a330260c26096c0806bcf5d231a03ec6f6a0bf0422d19166b8b3315ba2e',
  // pages/transfer/transfer-query.ts splitTransferMutation
  'a378183650f393ed9a2afd5c429eb04d56a7f80a87c8156bec53df6077e961c0',
  // pages/transfer/transfer-query.ts returnTransferMutation
  '746ebbddf5c737c889bfa0761b634a5dfcf59d738ea6d78658a3962fdab95b39',
  // pages/transfer/transfer-query.ts unassignTransferMutation
  'af3fe86d86080ba3b631b326377533300ca6af1c928f03dac8319085d04b3aac',
  // pages/transfer/transfer-query.ts markAsDuplicateMutation
  '3c49726e90a289b82053c3a11c958251e7608c1ae2c0034c8d19f3b77706af80',
  // pages/transfer/transfers-query.ts transfersQuery
  '189e72e044231d5ea21bf123d7209a26642ee717cbfb7239d393e0e4169ab32e',
  // pages/user/users-query.ts usersQuery
  '1f7eca39d1b88caa9de087ffcdcd354a44238eb2d3a30a13bbd0197f374d21b4',
  // pages/user/users-query.ts invitationsQuery
  '41855ce7ed2925ef271f2f69fb881f962d49406023a280ca5c83ac2d42a4cedf',
  // pages/user/users-query.ts inviteUserMutation
  'd1c16271661c1ff96b85d141f008b51389a5ee2cbc3ffddf3f64d348d4aa278d',
  // pages/user/users-query.ts resendInvitationMutation
  '1b2d9bf0ac1e6a841bc29dca88abbcb8a6fff4f8ec0bd44b377a8ec263328fb5',
  // pages/user/users-query.ts withdrawInvitationMutation
  '69b51ffba15f09469ac77ad9b903856bef6801c4a2b53443b979d715146683fa',
  // pages/user/users-query.ts updateUserMutation
  'fd0779daaa536c5863689f88cd999671af8622a74b5aef7f4c9d1723c353538b',
  // pages/user/users-query.ts removeUserMutation
  '38f4c85d14409fe9bb98ca87429744f75cd402dfae7337431f1e12693db006a2',
  // pages/webhook/webhooks-query.ts webhooksQuery
  '00ce926cad06b929f2d830ba5bbef84ae8dd6cd54dfb89391ae207dd381a9d77',
  // pages/webhook/webhooks-query.ts createWebhookMutation
  '68ea6e78548dcb7a888b86047cf7361504be7d33ec59dec1c6d1b93321dc1fa0',
  // pages/webhook/webhooks-query.ts updateWebhookMutation
  '17ee12362b7073098063b9f436e83708292cce826939062faac01ca98cdc593a',
  // pages/webhook/webhooks-query.ts deleteWebhookMutation
  '6eae375cd5be94b5e7450613ce48ab61eb60ae92f80762ffff4e4c0df828b27f',
  // pages/webhook/webhooks-query.ts rotateWebhookSecretMutation
  '3ef02a0b6a9b923b872e0d9f75dbf27c9094ac0f495856e136f75654896c7493',
  // pages/webhook/webhooks-query.ts sendTestMutation
  'f9752d3019ee594eb9ea40d6313e5731457de6a80e2a6fd23d962bc0162a9b63',
  // pages/webhook/webhooks-query.ts dismissAlertMutation
  '07a4227309430eb351a2c714d8657118ac5d1207127c1118692a2418eec1dbd7',
  // shell/open-counts.tsx reviewCountQuery
  'dadb10b021bfcf74832a023b2afde73826df84e42802b665c6e5ad7cabab068b',
  // shell/open-counts.tsx payoutCountQuery
  '2d0f0498a51cc4c5a426b20430664977beef886dffd16dea5c48550791b023ee',
  // shell/use-sign-out.ts signOutMutation
  'eed791e21ce4c385d4c6ab687a850208b2977710a8854ec5011a9b3098f0065b',
  // viewer.ts viewerQuery
  '5cbd877f33a4f208b2093bac41e4596d6084198d0123c0e561fed026041243ad',
]);
