import type { Language } from '@framelift/contract';
import { expect, it } from 'vitest';
import { textsIn } from './node.ts';
import type { Area } from './types.ts';

/**
 * Texts that the specification fixes, or that are critical for the safety of accounts and pictures, verbatim: area and
 * key, requirements that contain the text, English, Chinese, Japanese. Changing one requires a deliberate change here.
 */
const FIXED: readonly (readonly [key: string, ids: string, en: string, zh: string, ja: string])[] = [
  [
    'errors:tokenExpired',
    '[R-8.transport.2]',
    'token expired / please login again',
    '登入已過期，請重新登入。',
    'ログインの有効期限が切れました。もう一度ログインしてください。',
  ],
  [
    'errors:networkError',
    '[R-8.transport.3]',
    'Network Error / Please check your network quality',
    '網路錯誤，請檢查您的網路品質。',
    '通信エラーです。通信状況をご確認ください。',
  ],
  ['errors:readerError', '[R-8.alerts.4]', 'reader error', '讀取錯誤', '読み取りエラー'],
  [
    'errors:changePermissionExpired',
    '[R-8.other.2]',
    'change failed, permission expired',
    '變更失敗，權限已過期',
    '変更できませんでした。権限の有効期限が切れています',
  ],
  [
    'errors:invalidEmail',
    '[R-5.register.5]',
    'Invalid Format, Please Re-enter Email',
    '格式錯誤，請重新輸入電子郵件',
    '形式が正しくありません。メールアドレスを入力し直してください',
  ],
  [
    'errors:upload_up_to_limit',
    '[R-5.upload.5]',
    'Please choose media size less than 50MB',
    '請選擇小於 50MB 的媒體檔案',
    '50MB 以下のファイルを選んでください',
  ],
  ['errors:noImageSelected', '', 'No picture was chosen.', '尚未選擇圖片。', '画像が選択されていません。'],
  [
    'errors:selectFile',
    '[R-5.upload.6]',
    'Please select a file to upload.',
    '請選擇要上傳的檔案。',
    'アップロードするファイルを選択してください。',
  ],
  ['errors:transactionFailed', '[R-8.payment.1]', 'transaction failed!', '交易失敗！', '取引に失敗しました！'],
  [
    'errors:noProductType',
    '[R-5.subscribe.1]',
    "There's no product_type detected.",
    '未偵測到產品類型。',
    '商品の種類を確認できません。',
  ],
  [
    'errors:not_member_please_buy',
    '[R-6.roles.2]',
    'This is for members. Please choose a plan first.',
    '此為會員專屬內容，請先選購方案。',
    '会員限定です。先にプランをお選びください。',
  ],
  [
    'errors:not_VIP',
    '',
    'Videos are for VIP members. Enter a serial code to become one.',
    '影片上傳僅限 VIP 會員，輸入序號即可升級。',
    '動画は VIP 会員限定です。シリアルコードを入力すると利用できます。',
  ],
  [
    'errors:no_device_registered',
    '[R-8.alerts.5]',
    'No kind of frame is available yet. Please ask the operator.',
    '目前沒有可用的相框類型，請聯絡客服。',
    '利用できるフレームの種類がありません。運営者にお問い合わせください。',
  ],
  [
    'errors:featureNotAvailableYet',
    '[R-8.alerts.6]',
    'This feature is not available yet.',
    '此功能尚未開放。',
    'この機能はまだ利用できません。',
  ],
  [
    'errors:notEnoughPoints',
    '[R-8.catalogue.1]',
    'You do not have enough points. Please top up.',
    '點數不足，請先儲值。',
    'ポイントが足りません。チャージしてください。',
  ],
  [
    'errors:notEnoughFreePoints',
    '[R-8.catalogue.2]',
    'You do not have enough free points. Watch an ad to earn some.',
    '免費點數不足，觀看廣告即可獲得。',
    '無料ポイントが足りません。広告を見ると獲得できます。',
  ],
  [
    'errors:pinCodeIncorrect',
    '',
    'This serial code is not right. Please check it and enter it again.',
    '序號不正確，請確認後重新輸入。',
    'シリアルコードが正しくありません。確認して入力し直してください。',
  ],
  ['errors:alreadySubscribed', '', 'You have subscribed to this already.', '您已訂閱此項目。', 'すでに加入済みです。'],
  ['errors:noOrder', '', 'This order was not found.', '找不到此訂單。', 'この注文は見つかりませんでした。'],
  [
    'errors:albumInProduct',
    '',
    'This album is part of a product and cannot be deleted.',
    '此相簿屬於某項產品，無法刪除。',
    'このアルバムは商品に含まれているため削除できません。',
  ],
  [
    'errors:mediaNotFound',
    '',
    'This picture or video was not found.',
    '找不到此圖片或影片。',
    'この画像または動画は見つかりませんでした。',
  ],
  [
    'errors:systemBusy',
    '',
    'The system is busy. Please try again in a moment.',
    '系統忙碌中，請稍後再試。',
    'システムが混み合っています。しばらくしてからもう一度お試しください。',
  ],
  [
    'errors:incorrectVerificationCode',
    '[R-8.catalogue.14]',
    'This confirmation link is not right. Please register again or ask for a new link.',
    '驗證連結不正確，請重新註冊或索取新的連結。',
    '確認リンクが正しくありません。もう一度登録するか、新しいリンクを取得してください。',
  ],
  [
    'errors:expiredVerificationCode',
    '[R-8.catalogue.15]',
    'This confirmation link has expired. Please register again or ask for a new link.',
    '驗證連結已過期，請重新註冊或索取新的連結。',
    '確認リンクの有効期限が切れています。もう一度登録するか、新しいリンクを取得してください。',
  ],
  [
    'errors:storageLimitReached',
    '[R-8.catalogue.18]',
    'Your storage is full. Please clear your album to make room.',
    '儲存空間已滿，請清理相簿以騰出空間。',
    '保存容量がいっぱいです。アルバムを整理して空きを作ってください。',
  ],
  [
    'errors:UploadTimeOut',
    '',
    'The upload took too long. Please check your connection and try again.',
    '上傳逾時，請檢查網路後再試一次。',
    'アップロードに時間がかかりすぎました。通信環境を確認してもう一度お試しください。',
  ],
  [
    'errors:fileUploadFailed',
    '[R-8.catalogue.21]',
    'File upload failed.',
    '檔案上傳失敗。',
    'ファイルのアップロードに失敗しました。',
  ],
  [
    'errors:statusChangingFailed',
    '[R-8.catalogue.22]',
    'Status changing failed',
    '狀態變更失敗',
    '状態の変更に失敗しました',
  ],
  [
    'errors:errorUploadingFile',
    '[R-8.catalogue.23]',
    'Error uploading file',
    '上傳檔案時發生錯誤',
    'ファイルのアップロード中にエラーが発生しました',
  ],
  [
    'errors:loginFailed',
    '',
    'The e-mail or the password is not right.',
    '電子郵件或密碼不正確。',
    'メールアドレスまたはパスワードが正しくありません。',
  ],
  [
    'errors:accountRestricted',
    '',
    'This account has been restricted. Please write to the operator.',
    '此帳號已被限制使用，請與客服聯絡。',
    'このアカウントは利用が制限されています。運営者にお問い合わせください。',
  ],
  [
    'errors:passwordIncorrect',
    '',
    'The password is not right. Please enter your present password.',
    '密碼不正確，請輸入目前的密碼。',
    'パスワードが正しくありません。現在のパスワードを入力してください。',
  ],
  [
    'errors:internal',
    '',
    'Something went wrong on our side. Nothing was lost; please try again.',
    '系統發生錯誤，您的資料沒有遺失，請再試一次。',
    'こちら側で問題が発生しました。データは失われていません。もう一度お試しください。',
  ],
  ['common:cancel', '', 'Cancel', '取消', 'キャンセル'],
  ['common:close', '', 'Close', '關閉', '閉じる'],
  ['common:featureUnderDevelopment', '[R-8.alerts.6]', 'Under development', '功能開發中', '開発中の機能です'],
  ['upload:cancel', '', 'Cancel', '取消', 'キャンセル'],
  ['upload:confirm', '', 'Confirm', '確定', '確定'],
  ['upload:areYouSure', '[R-4.upload-steps.6]', 'Are you sure?', '確定要離開嗎？', 'よろしいですか？'],
  [
    'upload:notSaving',
    '[R-4.upload-steps.6]',
    'Your crop will not be saved.',
    '您的裁切不會保存。',
    '切り抜きは保存されません。',
  ],
  [
    'upload:stopUpload',
    '',
    'The upload is still running. If you leave now, it stops.',
    '檔案仍在上傳中，現在離開會中斷上傳。',
    'アップロード中です。ここで離れると中断されます。',
  ],
  ['upload:oops', '[R-5.upload.6]', 'Oops', '哎呀', 'おっと'],
  ['upload:retake', '', 'Re-take', '重新選擇', '選び直す'],
  ['upload:success.title', '[R-8.alerts.9]', 'Upload complete', '上傳完成', 'アップロード完了'],
  ['announcement:never', '[R-2.announcement.1]', 'Never show again', '不再顯示', '今後表示しない'],
  ['notifications:none', '[R-2.notifications.3]', 'No messages', '沒有訊息', 'メッセージはありません'],
  ['notifications:title', '[R-2.notify-panel.1]', 'Notifications', '通知', '通知'],
  ['albums:quantity', '[R-2.album-card.1]', 'Images: {{count}}', '{{count}} 張圖片', '画像{{count}}枚'],
  ['profile:delete.ask', '', 'Delete my account', '刪除我的帳號', 'アカウントを削除する'],
  [
    'profile:delete.what',
    '',
    'Your pictures, videos, results, points and settings are deleted. Nobody can bring them back.',
    '您的照片、影片、成品、點數與設定都會刪除，沒有人能救回。',
    '写真、動画、変換結果、ポイント、設定がすべて削除され、元には戻せません。',
  ],
  ['profile:delete.confirm', '', 'Delete', '刪除', '削除する'],
  [
    'profile:delete.typeEmail',
    '',
    'Type {{email}} to confirm',
    '請輸入 {{email}} 以確認',
    '確認のため {{email}} と入力してください',
  ],
  ['profile:keep.button', '', 'Keep my account', '保留我的帳號', 'アカウントを残す'],
  ['profile:leave.title', '', 'Leave without saving?', '不儲存就離開嗎？', '保存せずに移動しますか？'],
  ['profile:leave.stay', '', 'Stay', '留在此頁', 'このページに残る'],
  ['profile:leave.leave', '', 'Leave', '離開', '移動する'],
  ['profile:discard', '', 'Discard', '放棄變更', '変更を破棄'],
  ['profile:sessions.endTitle', '', 'Log out this device?', '要登出這台裝置嗎？', 'この端末をログアウトしますか？'],
  [
    'profile:sessions.othersTitle',
    '',
    'Log out everywhere else?',
    '要登出其他所有裝置嗎？',
    'ほかのすべての端末をログアウトしますか？',
  ],
  [
    'emails:confirmation.subject',
    '',
    'Please confirm your e-mail address',
    '請確認您的電子郵件地址',
    'メールアドレスの確認をお願いします',
  ],
  [
    'emails:confirmation.note',
    '',
    'The link is valid for 24 hours and works once. If you did not register, please ignore this mail: without your confirmation nothing happens.',
    '此連結於 24 小時內有效，且只能使用一次。如果您沒有註冊，請忽略此信；未經您確認，帳號不會啟用。',
    'リンクの有効期限は 24 時間で、一度だけ使えます。お心当たりがない場合は、このメールを無視してください。確認がなければ何も起こりません。',
  ],
  ['emails:resetPassword.subject', '', 'Choose a new password', '請設定新密碼', '新しいパスワードを設定してください'],
  [
    'emails:resetPassword.note',
    '',
    'The link is valid for 24 hours and works once; a newer mail makes it void. If you did not ask, please ignore this mail: your password stays as it is.',
    '此連結於 24 小時內有效，且只能使用一次；收到較新的信後，此連結即失效。如果您沒有提出要求，請忽略此信；您的密碼不會變更。',
    'リンクの有効期限は 24 時間で、一度だけ使えます。新しいメールが届くと、このリンクは無効になります。お心当たりがない場合は、このメールを無視してください。パスワードは変わりません。',
  ],
  [
    'emails:passwordChanged.note',
    '',
    'If it was not you, choose a new password at once with "Forgotten your password?" on the login page.',
    '如果不是您本人操作，請立即使用登入頁面的「忘記密碼？」設定新密碼。',
    'お心当たりがない場合は、ログイン画面の「パスワードを忘れた場合」からすぐに新しいパスワードを設定してください。',
  ],
  [
    'emails:emailChangeAsked.note',
    '',
    'If it was not you, log in and change your password at once: that makes the link void and logs everybody else out.',
    '如果不是您本人操作，請立即登入並變更密碼；連結將隨之失效，其他裝置也會登出。',
    'お心当たりがない場合は、すぐにログインしてパスワードを変更してください。リンクは無効になり、ほかの端末からはログアウトします。',
  ],
  [
    'emails:accountDeletion.subject',
    '',
    'Your account will be removed in 14 days',
    '您的帳號將於 14 天後刪除',
    'アカウントは 14 日後に削除されます',
  ],
  ['emails:accountDeletion.action', '', 'Log in and keep it', '登入並保留帳號', 'ログインして残す'],
  [
    'emails:framePaired.note',
    '',
    'If it was not you, open your frames, unpair it, and change your password.',
    '如果不是您本人操作，請開啟相框頁面解除配對，並變更密碼。',
    'お心当たりがない場合は、フレームのページでペアリングを解除し、パスワードを変更してください。',
  ],
  [
    'frame:sure',
    '',
    'Unpair this frame? Its owner is told, and a new code is shown here.',
    '要解除此相框的配對嗎？系統會通知擁有者，這裡會顯示新的代碼。',
    'このフレームのペアリングを解除しますか？所有者に通知され、ここに新しいコードが表示されます。',
  ],
  ['frame:yes', '', 'Unpair', '解除配對', '解除する'],
  ['frame:no', '', 'Keep it', '保留', 'このままにする'],
];

/** Returns the text with its placeholders. */
function shown(key: string, language: Language): string {
  const [area, path] = key.split(':') as [Area, string];
  const t = textsIn(language, area) as unknown as (key: string, values: object) => string;
  return t(path, { count: '{{count}}', email: '{{email}}' });
}

it.each(FIXED)('%s says what it must %s [X9]', (key, _, en, zh, ja) => {
  expect({ en: shown(key, 'en'), zh: shown(key, 'zh'), ja: shown(key, 'ja') }).toEqual({ en, zh, ja });
});

it('no two of them say the same in one language, but for the two buttons to cancel', () => {
  const rest = FIXED.filter(([key]) => key !== 'upload:cancel');
  for (const column of [2, 3, 4] as const) expect(new Set(rest.map((row) => row[column])).size).toBe(rest.length);
});
