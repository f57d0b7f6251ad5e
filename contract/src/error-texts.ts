import type { ErrorCode } from './errors.ts';
import type { Language } from './limits.ts';

/** What people read: one sentence that says what is wrong and what to do next. */
export const ERROR_TEXTS: Record<ErrorCode, Record<Language, string>> = {
  invalidInput: {
    en: 'Something in the form is not right. Please check the marked fields.',
    zh: '填寫的內容有誤，請檢查標示的欄位。',
    ja: '入力内容に誤りがあります。印の付いた項目を確認してください。',
  },
  tokenExpired: {
    en: 'token expired / please login again',
    zh: '登入已過期，請重新登入。',
    ja: 'ログインの有効期限が切れました。もう一度ログインしてください。',
  },
  notAllowed: {
    en: 'Your account may not do this.',
    zh: '您的帳號無法執行此操作。',
    ja: 'お使いのアカウントではこの操作はできません。',
  },
  crossSiteWrite: {
    en: 'This request came from another website and was refused. Please try again from Framelift itself.',
    zh: '此要求來自其他網站，已被拒絕。請直接在 Framelift 操作。',
    ja: '他のサイトからの要求のため拒否しました。Framelift の画面から操作してください。',
  },
  notFound: {
    en: 'There is nothing at this address.',
    zh: '找不到此內容。',
    ja: 'お探しのものは見つかりませんでした。',
  },
  methodNotAllowed: {
    en: 'This call does not exist in that form.',
    zh: '不支援此呼叫方式。',
    ja: 'この呼び出し方法には対応していません。',
  },
  bodyTooLarge: { en: 'The message is too large.', zh: '傳送的內容過大。', ja: '送信内容が大きすぎます。' },
  notJson: {
    en: 'The message must be JSON.',
    zh: '傳送的內容必須是 JSON。',
    ja: '送信内容は JSON でなければなりません。',
  },
  tooManyRequests: {
    en: 'Too many tries. Please wait a moment and try again.',
    zh: '嘗試次數過多，請稍候再試。',
    ja: '試行回数が多すぎます。しばらく待ってからもう一度お試しください。',
  },
  systemBusy: {
    en: 'The system is busy. Please try again in a moment.',
    zh: '系統忙碌中，請稍後再試。',
    ja: 'システムが混み合っています。しばらくしてからもう一度お試しください。',
  },
  maintenance: {
    en: 'We are under maintenance and will be back soon.',
    zh: '系統維護中，很快就會恢復。',
    ja: 'ただいまメンテナンス中です。まもなく再開します。',
  },
  internal: {
    en: 'Something went wrong on our side. Nothing was lost; please try again.',
    zh: '系統發生錯誤，您的資料沒有遺失，請再試一次。',
    ja: 'こちら側で問題が発生しました。データは失われていません。もう一度お試しください。',
  },
  networkError: {
    en: 'Network Error / Please check your network quality',
    zh: '網路錯誤，請檢查您的網路品質。',
    ja: '通信エラーです。通信状況をご確認ください。',
  },

  loginFailed: {
    en: 'The e-mail or the password is not right.',
    zh: '電子郵件或密碼不正確。',
    ja: 'メールアドレスまたはパスワードが正しくありません。',
  },
  emailNotConfirmed: {
    en: 'Please confirm your e-mail address first. We can send the link again.',
    zh: '請先驗證您的電子郵件，我們可以重新寄送連結。',
    ja: '先にメールアドレスの確認をお願いします。リンクは再送できます。',
  },
  passwordsDoNotMatch: {
    en: 'The two passwords are not the same.',
    zh: '兩次輸入的密碼不一致。',
    ja: '2 つのパスワードが一致しません。',
  },
  passwordTooWeak: {
    en: 'A password needs at least 8 characters with an uppercase letter, a lowercase letter and a digit.',
    zh: '密碼至少需要 8 個字元，並包含大寫字母、小寫字母與數字。',
    ja: 'パスワードは 8 文字以上で、大文字・小文字・数字をそれぞれ含めてください。',
  },
  passwordTooCommon: {
    en: 'Many people use this password, so it is tried first. Please choose another one.',
    zh: '這個密碼太常見，容易被猜中，請換一個。',
    ja: 'よく使われるパスワードのため、推測されるおそれがあります。別のものにしてください。',
  },
  passwordNamesOwner: {
    en: 'A password must not contain your name or your e-mail address. Please choose another one.',
    zh: '密碼不可包含您的姓名或電子郵件，請換一個。',
    ja: 'お名前やメールアドレスを含むパスワードは使えません。別のものにしてください。',
  },
  invalidEmail: {
    en: 'Invalid Format, Please Re-enter Email',
    zh: '格式錯誤，請重新輸入電子郵件',
    ja: '形式が正しくありません。メールアドレスを入力し直してください',
  },
  agreementMissing: {
    en: 'Please read and accept the privacy policy and the disclaimer.',
    zh: '請先閱讀並同意隱私權政策與免責聲明。',
    ja: 'プライバシーポリシーと免責事項をお読みのうえ、同意してください。',
  },
  incorrectVerificationCode: {
    en: 'This confirmation link is not right. Please register again or ask for a new link.',
    zh: '驗證連結不正確，請重新註冊或索取新的連結。',
    ja: '確認リンクが正しくありません。もう一度登録するか、新しいリンクを取得してください。',
  },
  expiredVerificationCode: {
    en: 'This confirmation link has expired. Please register again or ask for a new link.',
    zh: '驗證連結已過期，請重新註冊或索取新的連結。',
    ja: '確認リンクの有効期限が切れています。もう一度登録するか、新しいリンクを取得してください。',
  },
  emailSendingFailed: {
    en: 'We could not send the e-mail. Please check the address and try again.',
    zh: '電子郵件寄送失敗，請檢查地址後再試一次。',
    ja: 'メールを送信できませんでした。アドレスを確認して、もう一度お試しください。',
  },
  changePermissionExpired: {
    en: 'change failed, permission expired',
    zh: '變更失敗，權限已過期',
    ja: '変更できませんでした。権限の有効期限が切れています',
  },
  updatePasswordFailed: {
    en: 'The password was not changed. Please check your old password.',
    zh: '密碼變更失敗，請確認舊密碼。',
    ja: 'パスワードを変更できませんでした。現在のパスワードを確認してください。',
  },
  updateUsernameFailed: {
    en: 'The name was not changed. Please try again.',
    zh: '名稱變更失敗，請再試一次。',
    ja: '名前を変更できませんでした。もう一度お試しください。',
  },
  updateUserDataFailed: {
    en: 'Your data were not changed. Please try again.',
    zh: '資料更新失敗，請再試一次。',
    ja: '登録情報を更新できませんでした。もう一度お試しください。',
  },
  passwordIncorrect: {
    en: 'The password is not right. Please enter your present password.',
    zh: '密碼不正確，請輸入目前的密碼。',
    ja: 'パスワードが正しくありません。現在のパスワードを入力してください。',
  },
  captchaFailed: {
    en: 'The check against robots did not succeed. Please try again.',
    zh: '機器人驗證未通過，請再試一次。',
    ja: 'ロボットでないことの確認ができませんでした。もう一度お試しください。',
  },
  pinCodeIncorrect: {
    en: 'This serial code is not right. Please check it and enter it again.',
    zh: '序號不正確，請確認後重新輸入。',
    ja: 'シリアルコードが正しくありません。確認して入力し直してください。',
  },
  alreadyVip: {
    en: 'You are a VIP already. Your code was not used up.',
    zh: '您已經是 VIP，序號尚未使用。',
    ja: 'すでに VIP です。コードは使われていません。',
  },
  sessionNotFound: {
    en: 'This login has ended already.',
    zh: '此登入狀態已經結束。',
    ja: 'このログインはすでに終了しています。',
  },
  accountRestricted: {
    en: 'This account has been restricted. Please write to the operator.',
    zh: '此帳號已被限制使用，請與客服聯絡。',
    ja: 'このアカウントは利用が制限されています。運営者にお問い合わせください。',
  },
  guestUploadLimit: {
    en: 'A guest may keep 10 pictures. Register for free to go on; your pictures come with you.',
    zh: '訪客最多可保留 10 張圖片。免費註冊即可繼續，您的圖片會一併保留。',
    ja: 'ゲストが保存できる画像は 10 枚までです。無料登録すれば画像を引き継いで続けられます。',
  },

  notEnoughPoints: {
    en: 'You do not have enough points. Please top up.',
    zh: '點數不足，請先儲值。',
    ja: 'ポイントが足りません。チャージしてください。',
  },
  notEnoughFreePoints: {
    en: 'You do not have enough free points. Watch an ad to earn some.',
    zh: '免費點數不足，觀看廣告即可獲得。',
    ja: '無料ポイントが足りません。広告を見ると獲得できます。',
  },
  alreadySubscribed: { en: 'You have subscribed to this already.', zh: '您已訂閱此項目。', ja: 'すでに登録済みです。' },
  subscribeFailed: {
    en: 'The subscription did not go through. Your payment is kept and will be checked.',
    zh: '訂閱未完成，您的付款已保留並將進行確認。',
    ja: '登録が完了しませんでした。お支払いは保全され、確認いたします。',
  },
  unsubscribeFailed: {
    en: 'Unsubscribing failed. Please try again.',
    zh: '取消訂閱失敗，請再試一次。',
    ja: '解約できませんでした。もう一度お試しください。',
  },
  transactionFailed: { en: 'transaction failed!', zh: '交易失敗！', ja: '取引に失敗しました！' },
  noProductType: {
    en: "There's no product_type detected.",
    zh: '未偵測到產品類型。',
    ja: '商品の種類を確認できません。',
  },
  not_member_please_buy: {
    en: 'This is for members. Please choose a plan first.',
    zh: '此為會員專屬內容，請先選購方案。',
    ja: '会員限定です。先にプランをお選びください。',
  },
  noOrder: { en: 'This order was not found.', zh: '找不到此訂單。', ja: 'この注文は見つかりませんでした。' },
  albumInProduct: {
    en: 'This album is part of a product and cannot be deleted.',
    zh: '此相簿屬於某項產品，無法刪除。',
    ja: 'このアルバムは商品に含まれているため削除できません。',
  },

  noImageSelected: { en: 'No picture was chosen.', zh: '尚未選擇圖片。', ja: '画像が選択されていません。' },
  selectFile: {
    en: 'Please select a file to upload.',
    zh: '請選擇要上傳的檔案。',
    ja: 'アップロードするファイルを選択してください。',
  },
  fileEmpty: {
    en: 'This file is empty. Please choose another one.',
    zh: '此檔案是空的，請選擇其他檔案。',
    ja: 'このファイルは空です。別のファイルを選んでください。',
  },
  upload_up_to_limit: {
    en: 'Please choose media size less than 50MB',
    zh: '請選擇小於 50MB 的媒體檔案',
    ja: '50MB 以下のファイルを選んでください',
  },
  invalidExtension: {
    en: 'This kind of file is not supported. Choose a png, jpeg or jpg picture, or an avi, mp4, mov or mkv video.',
    zh: '不支援此檔案類型。請選擇 png、jpeg、jpg 圖片，或 avi、mp4、mov、mkv 影片。',
    ja: 'この種類のファイルには対応していません。png・jpeg・jpg の画像か、avi・mp4・mov・mkv の動画を選んでください。',
  },
  not_VIP: {
    en: 'Videos are for VIP members. Enter a serial code to become one.',
    zh: '影片上傳僅限 VIP 會員，輸入序號即可升級。',
    ja: '動画は VIP 会員限定です。シリアルコードを入力すると利用できます。',
  },
  no_device_registered: {
    en: 'No kind of frame is available yet. Please ask the operator.',
    zh: '目前沒有可用的相框類型，請聯絡客服。',
    ja: '利用できるフレームの種類がありません。運営者にお問い合わせください。',
  },
  unknownDeviceType: {
    en: 'This kind of frame is not known. Please choose one from the list.',
    zh: '未知的相框類型，請從清單中選擇。',
    ja: '不明なフレームの種類です。一覧から選んでください。',
  },
  unknownEffect: {
    en: 'This 3D strength is not available for the chosen frame. Please choose one from the list.',
    zh: '所選相框不支援此 3D 強度，請從清單中選擇。',
    ja: '選んだフレームではこの 3D の強さは使えません。一覧から選んでください。',
  },
  uploadLinkInvalid: {
    en: 'This upload link is not valid. Please start the upload again.',
    zh: '上傳連結無效，請重新上傳。',
    ja: 'アップロード用リンクが無効です。最初からやり直してください。',
  },
  uploadLinkExpired: {
    en: 'This upload link has expired. Please start the upload again.',
    zh: '上傳連結已過期，請重新上傳。',
    ja: 'アップロード用リンクの有効期限が切れました。最初からやり直してください。',
  },
  uploadTypeMismatch: {
    en: 'The file is of another kind than announced. Please choose it again.',
    zh: '檔案類型與宣告的不符，請重新選擇。',
    ja: 'ファイルの種類が申告と異なります。もう一度選んでください。',
  },
  uploadSizeMismatch: {
    en: 'The file is not as large as announced. Please send it again.',
    zh: '檔案大小與宣告的不符，請重新上傳。',
    ja: 'ファイルの大きさが申告と異なります。もう一度送信してください。',
  },
  uploadMissing: {
    en: 'The file has not arrived yet. Please send it again.',
    zh: '檔案尚未送達，請重新上傳。',
    ja: 'ファイルが届いていません。もう一度送信してください。',
  },
  uploadBroken: {
    en: 'The upload broke off. Please send the file again.',
    zh: '上傳中斷，請重新上傳。',
    ja: 'アップロードが途中で切れました。もう一度送信してください。',
  },
  uploadImageFailed: {
    en: 'The picture could not be uploaded. Please try again.',
    zh: '圖片上傳失敗，請再試一次。',
    ja: '画像をアップロードできませんでした。もう一度お試しください。',
  },
  uploadVideoFailed: {
    en: 'The video could not be uploaded. Please try again.',
    zh: '影片上傳失敗，請再試一次。',
    ja: '動画をアップロードできませんでした。もう一度お試しください。',
  },
  fileUploadFailed: { en: 'File upload failed.', zh: '檔案上傳失敗。', ja: 'ファイルのアップロードに失敗しました。' },
  errorUploadingFile: {
    en: 'Error uploading file',
    zh: '上傳檔案時發生錯誤',
    ja: 'ファイルのアップロード中にエラーが発生しました',
  },
  statusChangingFailed: { en: 'Status changing failed', zh: '狀態變更失敗', ja: '状態の変更に失敗しました' },
  UploadTimeOut: {
    en: 'The upload took too long. Please check your connection and try again.',
    zh: '上傳逾時，請檢查網路後再試一次。',
    ja: 'アップロードに時間がかかりすぎました。通信環境を確認してもう一度お試しください。',
  },
  storageLimitReached: {
    en: 'Your storage is full. Please clear your album to make room.',
    zh: '儲存空間已滿，請清理相簿以騰出空間。',
    ja: '保存容量がいっぱいです。アルバムを整理して空きを作ってください。',
  },
  tooManyPendingUploads: {
    en: 'Too many uploads are waiting to be finished. Please finish them or wait a few minutes.',
    zh: '尚未完成的上傳過多，請先完成或稍候幾分鐘。',
    ja: '完了していないアップロードが多すぎます。完了させるか、数分お待ちください。',
  },
  readerError: { en: 'reader error', zh: '讀取錯誤', ja: '読み取りエラー' },

  albumNotFound: {
    en: 'This album was not found. It may have been deleted.',
    zh: '找不到此相簿，可能已被刪除。',
    ja: 'このアルバムは見つかりません。削除された可能性があります。',
  },
  tooManyAlbums: {
    en: 'You have as many albums as you can have. Please delete one first.',
    zh: '相簿數量已達上限，請先刪除一個相簿。',
    ja: 'アルバムの数が上限に達しています。先にアルバムを1つ削除してください。',
  },
  authorization_pending: {
    en: 'Nobody has paired this frame yet.',
    zh: '尚未完成配對。',
    ja: 'まだペアリングされていません。',
  },
  slow_down: {
    en: 'This frame asks too often. It goes on by itself, more slowly.',
    zh: '詢問過於頻繁，將自動放慢速度後繼續。',
    ja: '問い合わせの間隔が短すぎます。間隔を空けて自動的に続行します。',
  },
  access_denied: {
    en: 'Pairing was refused. The frame shows another code.',
    zh: '配對已被拒絕，相框會顯示新的代碼。',
    ja: 'ペアリングは拒否されました。フレームに新しいコードが表示されます。',
  },
  expired_token: {
    en: 'This code has ended. The frame shows another one.',
    zh: '代碼已失效，相框會顯示新的代碼。',
    ja: 'コードの有効期限が切れました。フレームに新しいコードが表示されます。',
  },
  deviceNotFound: {
    en: 'No frame is waiting with this code. Please compare it with the code that the frame shows now.',
    zh: '沒有相框正在等待此代碼，請與相框目前顯示的代碼核對。',
    ja: 'このコードで待機しているフレームはありません。フレームに現在表示されているコードと照らし合わせてください。',
  },
  frameNotFound: {
    en: 'This frame was not found. It may have been unpaired.',
    zh: '找不到此相框，可能已解除配對。',
    ja: 'このフレームは見つかりません。ペアリングが解除された可能性があります。',
  },
  tooManyFrames: {
    en: 'You have as many frames as you can have. Please unpair one first.',
    zh: '相框數量已達上限，請先解除一個相框的配對。',
    ja: 'フレームの数が上限に達しています。先にフレームのペアリングを1つ解除してください。',
  },
  mediaNotFound: {
    en: 'This picture or video was not found.',
    zh: '找不到此圖片或影片。',
    ja: 'この画像または動画は見つかりませんでした。',
  },
  notAPicture: {
    en: 'This file is not a picture we can open. Choose a JPEG, PNG, HEIC, AVIF or WebP picture.',
    zh: '此檔案不是可開啟的圖片。請選擇 JPEG、PNG、HEIC、AVIF 或 WebP 圖片。',
    ja: '開ける画像ファイルではありません。JPEG・PNG・HEIC・AVIF・WebP の画像を選んでください。',
  },
  pictureDamaged: {
    en: 'This picture is damaged and cannot be opened. Please choose the original file again.',
    zh: '此圖片已損毀，無法開啟。請重新選擇原始檔案。',
    ja: 'この画像は壊れていて開けません。元のファイルを選び直してください。',
  },
  pictureTooLarge: {
    en: 'This picture has too many pixels. Up to 100 megapixels and 32,768 pixels a side are possible.',
    zh: '此圖片像素過多，上限為 1 億像素、單邊 32,768 像素。',
    ja: '画素数が多すぎます。1 億画素・一辺 32,768 ピクセルまで対応しています。',
  },
  pictureTooSmall: {
    en: 'This picture is too small. It needs at least 256 pixels a side after cropping.',
    zh: '此圖片太小，裁切後每邊至少需要 256 像素。',
    ja: '画像が小さすぎます。切り抜き後に一辺 256 ピクセル以上が必要です。',
  },
  cropOutsidePicture: {
    en: 'The crop reaches beyond the picture. Please crop again.',
    zh: '裁切範圍超出圖片，請重新裁切。',
    ja: '切り抜き範囲が画像の外に出ています。切り抜き直してください。',
  },
  cropTooSmall: {
    en: 'The crop is too small. It needs at least 256 pixels a side.',
    zh: '裁切範圍太小，每邊至少需要 256 像素。',
    ja: '切り抜き範囲が小さすぎます。一辺 256 ピクセル以上にしてください。',
  },
  notAFilm: {
    en: 'This file is not a video we can open. Choose an MP4, MOV, MKV or AVI video.',
    zh: '此檔案不是可開啟的影片。請選擇 MP4、MOV、MKV 或 AVI 影片。',
    ja: '開ける動画ファイルではありません。MP4・MOV・MKV・AVI の動画を選んでください。',
  },
  filmDamaged: {
    en: 'This video is damaged and cannot be read. Please choose the original file again.',
    zh: '此影片已損毀，無法讀取。請重新選擇原始檔案。',
    ja: 'この動画は壊れていて読み込めません。元のファイルを選び直してください。',
  },
  filmWithoutPictures: {
    en: 'This file has no moving pictures that we can read, perhaps only sound.',
    zh: '此檔案沒有可讀取的影像，可能只有聲音。',
    ja: '読み込める映像がありません。音声だけのファイルかもしれません。',
  },
  filmTooLarge: {
    en: 'This video has more pixels or more tracks than can be converted. Please choose a smaller version.',
    zh: '此影片的像素或軌數超過可轉換的上限。請選擇較小的版本。',
    ja: '画素数またはトラック数が多すぎて変換できません。小さいサイズの動画を選んでください。',
  },
  filmTooSmall: {
    en: 'This video is too small. It needs at least 64 pixels a side after cropping.',
    zh: '此影片太小，裁切後每邊至少需要 64 像素。',
    ja: '動画が小さすぎます。切り抜き後に一辺 64 ピクセル以上が必要です。',
  },
  filmTooLong: {
    en: 'This video is longer than can be converted. Please cut it into shorter parts.',
    zh: '此影片超過可轉換的長度。請分成較短的片段。',
    ja: '動画が長すぎて変換できません。短く分けてください。',
  },
  calibrationMissing: {
    en: 'This format is made for one display alone. Choose the file visual.json of your display first.',
    zh: '此格式只適用於單一顯示器，請先選擇該顯示器的 visual.json 檔案。',
    ja: 'この形式は 1 台のディスプレイ専用です。先にお使いのディスプレイの visual.json を選んでください。',
  },
  calibrationInvalid: {
    en: 'This is not the calibration of a display. Choose the file visual.json from the drive of your display.',
    zh: '這不是顯示器的校正檔案，請從顯示器的磁碟選擇 visual.json。',
    ja: 'ディスプレイの校正ファイルではありません。ディスプレイのドライブにある visual.json を選んでください。',
  },
  conversionCancelled: { en: 'The conversion was cancelled.', zh: '轉換已取消。', ja: '変換は中止されました。' },
  conversionTimedOut: {
    en: 'The conversion took too long and was stopped. Please try again.',
    zh: '轉換時間過長，已停止。請再試一次。',
    ja: '変換に時間がかかりすぎたため停止しました。もう一度お試しください。',
  },
  conversionFailed: {
    en: 'The conversion did not succeed. Please try again or choose another picture.',
    zh: '轉換失敗，請再試一次或選擇其他圖片。',
    ja: '変換できませんでした。もう一度試すか、別の画像を選んでください。',
  },
  obj_havent_transformed_completed: {
    en: 'The conversion is not finished yet. Please wait a little.',
    zh: '轉換尚未完成，請稍候。',
    ja: '変換がまだ終わっていません。少しお待ちください。',
  },
  formatNotAvailable: {
    en: 'A flat picture has no 3D formats. Convert it with a strength above 0% first.',
    zh: '平面圖片沒有 3D 格式，請先以高於 0% 的強度轉換。',
    ja: '平面の画像に 3D 形式はありません。0% より強い効果で変換してください。',
  },
  formatBeingMade: {
    en: 'This video is being made in that format. It will be ready here when it is done.',
    zh: '影片正在轉換成此格式，完成後即可在此下載。',
    ja: 'この形式の動画を作成しています。完成するとここからダウンロードできます。',
  },
  nothingToUndo: {
    en: 'There is no change left to take back or to make again.',
    zh: '沒有可復原或重做的變更。',
    ja: '元に戻す変更ややり直す変更はありません。',
  },
  depthNotEditable: {
    en: 'The depth of videos and flat pictures cannot be edited. Choose a picture with a strength above 0%.',
    zh: '影片與平面圖片的深度無法編輯，請選擇強度高於 0% 的圖片。',
    ja: '動画と平面の画像の奥行きは編集できません。0% より強い効果の画像を選んでください。',
  },
  depthMapUnfit: {
    en: 'This depth map does not have the proportions of the crop. Save it with the same proportions and try again.',
    zh: '此深度圖的長寬比與裁切範圍不同，請以相同比例儲存後再試一次。',
    ja: 'この奥行きマップは切り抜きと縦横比が違います。同じ比率で保存してからもう一度お試しください。',
  },
  depthMapTooLarge: {
    en: 'A depth map may be up to 20 MB. Save it smaller and try again.',
    zh: '深度圖不可超過 20 MB，請縮小後再試一次。',
    ja: '奥行きマップは 20 MB までです。小さく保存してからもう一度お試しください。',
  },
  tooManyStrokes: {
    en: 'There are too many brush strokes on this picture. Undo some, or upload a depth map of your own.',
    zh: '此圖片的筆刷修正過多，請復原部分修正，或上傳自己的深度圖。',
    ja: 'この画像のブラシ修正が多すぎます。一部を元に戻すか、自分の奥行きマップをアップロードしてください。',
  },
  linkInvalid: {
    en: 'This link is not valid. Please open the page again.',
    zh: '連結無效，請重新開啟頁面。',
    ja: 'リンクが無効です。ページを開き直してください。',
  },
  linkExpired: {
    en: 'This link has expired. Please open the page again.',
    zh: '連結已過期，請重新開啟頁面。',
    ja: 'リンクの有効期限が切れました。ページを開き直してください。',
  },

  userNotFound: {
    en: 'There is no such member any more.',
    zh: '找不到此會員，可能已經移除。',
    ja: 'この会員は見つかりません。すでに削除された可能性があります。',
  },
  batchNotFound: {
    en: 'There is no such batch of codes.',
    zh: '找不到此批序號。',
    ja: 'このシリアルコードのセットは見つかりません。',
  },
  notYourself: {
    en: 'You cannot change this for your own account. Please ask another administrator.',
    zh: '無法對自己的帳號進行此變更，請由其他管理員操作。',
    ja: '自分のアカウントではこの変更はできません。ほかの管理者に依頼してください。',
  },
  adminProtected: {
    en: 'This account is an administrator. Take that away first.',
    zh: '此帳號是管理員，請先取消其管理員身分。',
    ja: 'このアカウントは管理者です。先に管理者の権限を外してください。',
  },
  accountNotReady: {
    en: 'Only a confirmed member who is neither restricted nor being removed can be an administrator.',
    zh: '只有已驗證，且未受限制、未申請刪除的會員才能成為管理員。',
    ja: '管理者になれるのは、確認済みで、利用制限も削除手続きもない会員だけです。',
  },

  featureNotAvailableYet: {
    en: 'This feature is not available yet.',
    zh: '此功能尚未開放。',
    ja: 'この機能はまだ利用できません。',
  },
};

/** One clear sentence in the caller's language. Codes that this version does not know read as `internal`. */
export function errorText(code: string, language: Language): string {
  const texts: Record<Language, string> | undefined = ERROR_TEXTS[code as ErrorCode];
  return (texts ?? ERROR_TEXTS.internal)[language];
}
