/** The longer side, in pixels, at which a photographed page is still as readable as before. */
const longest = 3200;

/**
 * Returns a large photograph as a smaller JPEG, without the place where it was taken, so that it is sent in seconds
 * over a slow connection. A small photograph, or one that this browser cannot open, is returned unchanged.
 */
export async function shrunk(file: File): Promise<File> {
  if (typeof createImageBitmap !== "function") return file;
  const picture = await createImageBitmap(file).catch(() => null);
  if (picture === null) return file;
  const scale = longest / Math.max(picture.width, picture.height);
  if (scale >= 1) {
    picture.close();
    return file;
  }
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(picture.width * scale);
  canvas.height = Math.round(picture.height * scale);
  const paper = canvas.getContext("2d");
  if (paper === null) return file;
  paper.fillStyle = "white";
  paper.fillRect(0, 0, canvas.width, canvas.height);
  paper.drawImage(picture, 0, 0, canvas.width, canvas.height);
  picture.close();
  const content = await new Promise<Blob | null>((resolve) => {
    canvas.toBlob(resolve, "image/jpeg", 0.85);
  });
  return content === null
    ? file
    : new File([content], file.name.replace(/\.[^.]*$/, "") + ".jpg", { type: "image/jpeg" });
}
