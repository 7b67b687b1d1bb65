#include "generate.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

/* Six groups: GDI and User, Kernel, COM, Registry, Print spooler, GDI+. */
const struct api api_table[] = {
	{ "gdi32.dll", "CreateCompatibleBitmap", "Bitmap", 12, 0, 0x0105046a, 0x10000 },
	{ "gdi32.dll", "CreateDIBSection", "Bitmap", 8, 0, 0x2a0507c1, 0x10000 },
	{ "gdi32.dll", "CreateSolidBrush", "Brush", 8, 0, 0x0210019b, 0x10000 },
	{ "gdi32.dll", "CreatePen", "Pen", 6, 0, 0x0430025d, 0x10000 },
	{ "gdi32.dll", "CreateFontIndirectW", "Font", 8, 0, 0x060a0311, 0x10000 },
	{ "gdi32.dll", "CreateCompatibleDC", "DC", 5, 0, 0x0a010f47, 0x10000 },
	{ "gdi32.dll", "CreateRectRgn", "Region", 4, 0, 0x0c0408d2, 0x10000 },
	{ "gdi32.dll", "CreatePalette", "Palette", 1, 0, 0x0e0805a6, 0x10000 },
	{ "user32.dll", "CreateMenu", "Menu", 3, 0, 0x00120a35, 0x20000 },
	{ "user32.dll", "CreatePopupMenu", "Menu", 5, 0, 0x00340b51, 0x20000 },
	{ "user32.dll", "CreateIconIndirect", "Icon", 4, 0, 0x001d0c43, 0x20000 },
	{ "user32.dll", "LoadCursorW", "Cursor", 2, 0, 0x00010007, 2 },
	{ "user32.dll", "GetDC", "DC", 4, 0, 0x12010a83, 0x10000 },
	{ "user32.dll", "CreateWindowExW", "Window", 6, 0, 0x000606f4, 0x10000 },
	{ "kernel32.dll", "CreateEventW", "Event", 7, 0, 0x1c8, 4 },
	{ "kernel32.dll", "CreateMutexW", "Mutex", 3, 0, 0x204, 4 },
	{ "kernel32.dll", "CreateSemaphoreW", "Semaphore", 1, 0, 0x2a8, 4 },
	{ "kernel32.dll", "CreateFileW", "File", 8, 0, 0x3a4, 4 },
	{ "kernel32.dll", "CreateFileMappingW", "File Mapping", 2, 0, 0x40c, 4 },
	{ "kernel32.dll", "FindFirstFileW", "Find File", 2, 0, 0x6f12c0, 0x60 },
	{ "kernel32.dll", "CreateThread", "Thread", 2, 0, 0x4f0, 4 },
	{ "kernel32.dll", "GlobalAlloc", "Global Memory", 4, 2048, 0x00a81f20, 0x40 },
	{ "kernel32.dll", "VirtualAlloc", "Virtual Memory", 2, 65536, 0x02c10000, 0x10000 },
	{ "ole32.dll", "CoTaskMemAlloc", "COM Memory", 7, 520, 0x007c2e48, 0x20 },
	{ "oleaut32.dll", "SysAllocString", "BSTR", 9, 64, 0x0081b9ec, 0x10 },
	{ "oleaut32.dll", "SafeArrayCreate", "Safe Array", 2, 1024, 0x00913d08, 0x40 },
	{ "advapi32.dll", "RegOpenKeyExW", "Registry", 8, 0, 0x314, 4 },
	{ "advapi32.dll", "RegCreateKeyExW", "Registry", 3, 0, 0x5a0, 4 },
	{ "winspool.drv", "OpenPrinterW", "Printer", 2, 0, 0x00b40a10, 0x50 },
	{ "winspool.drv", "FindFirstPrinterChangeNotification", "Printer Notification", 1, 0, 0x61c,
		4 },
	{ "gdiplus.dll", "GdipCreateBitmapFromScan0", "GDI+ Image", 6, 0, 0x05f2b1e8, 0x98 },
	{ "gdiplus.dll", "GdipLoadImageFromFile", "GDI+ Image", 3, 0, 0x060f44c0, 0x98 },
	{ "gdiplus.dll", "GdipCreateFromHDC", "GDI+ Graphics", 4, 0, 0x0617e020, 0x210 },
	{ "gdiplus.dll", "GdipCreateSolidFill", "GDI+ Brush", 3, 0, 0x0622c970, 0x70 },
	{ "gdiplus.dll", "GdipCreatePen1", "GDI+ Pen", 3, 0, 0x062d0a18, 0xb0 },
	{ "gdiplus.dll", "GdipCreatePath", "GDI+ Path", 2, 0, 0x06310db0, 0x58 },
};
const size_t api_count = COUNT(api_table);

const struct known_routine known_main[] = {
	{ "vcl70.bpl", "TWinControl", "MainWndProc", "Controls", "Controls.pas", 6371 },
	{ "vcl70.bpl", "TApplication", "ProcessMessage", "Forms", "Forms.pas", 6873 },
	{ "vcl70.bpl", "TApplication", "Run", "Forms", "Forms.pas", 6967 },
	{ "Orders.exe", NULL, "Orders", "Orders", "src\\Orders.dpr", 31 },
	{ "kernel32.dll", NULL, "BaseThreadInitThunk", NULL, NULL, 0 },
};
const size_t known_main_count = COUNT(known_main);

const struct known_routine known_worker[] = {
	{ "rtl70.bpl", NULL, "ThreadProc", "Classes", "Classes.pas", 8942 },
	{ "rtl70.bpl", NULL, "ThreadWrapper", "System", "System.pas", 14407 },
};
const size_t known_worker_count = COUNT(known_worker);

const char changed_unit[] = "OrderGrid";

enum story_routine {
	BUFFER_CREATE,
	GRID_DRAW_CELL,
	GRID_PAINT,
	SETTINGS_OPEN,
	SETTINGS_READ,
	MAIN_ACTIVATE,
	IMAGE_LOAD,
	THUMBNAIL_RENDER,
	PRODUCT_SHOW,
	PRODUCT_CHANGE,
	LEGEND_DRAW,
	CHART_SERIES,
	CHART_PAINT,
	PRINTER_STATUS,
	SHIPPING_PRINT,
	TREE_PARSE,
	TREE_EXPAND,
	ATTACHMENT_SHOW,
	QUEUE_CREATE,
	SYNC_RECONNECT,
	SYNC_EXECUTE,
};

const struct known_routine known_story[] = {
	{ "OrdersGraphics.bpl", "TBitmapBuffer", "CreateHandle", "GraphicBuffers",
		"src\\graphics\\GraphicBuffers.pas", 88 },
	{ "Orders.exe", "TOrderGrid", "DrawCell", "OrderGrid", "src\\ui\\OrderGrid.pas", 412 },
	{ "Orders.exe", "TOrderGrid", "Paint", "OrderGrid", "src\\ui\\OrderGrid.pas", 540 },
	{ "Orders.exe", "TSettings", "OpenKey", "Settings", "src\\core\\Settings.pas", 73 },
	{ "Orders.exe", "TSettings", "ReadWindowState", "Settings", "src\\core\\Settings.pas",
		161 },
	{ "Orders.exe", "TMainForm", "FormActivate", "MainForm", "src\\ui\\MainForm.pas", 228 },
	{ "OrdersReports.dll", "report::ImageCache",
		"load(std::wstring const&, Gdiplus::PixelFormat)", "image_cache",
		"src\\reports\\image_cache.cpp", 57 },
	{ "OrdersReports.dll", "report::ThumbnailRenderer", "render", "thumbnail",
		"src\\reports\\thumbnail.cpp", 119 },
	{ "Orders.exe", "TProductForm", "ShowThumbnail", "ProductForm", "src\\ui\\ProductForm.pas",
		305 },
	{ "Orders.exe", "TProductForm", "DataChange", "ProductForm", "src\\ui\\ProductForm.pas",
		344 },
	{ "Orders.exe", "TLegend", "Draw", "SalesChart", "src\\ui\\SalesChart.pas", 96 },
	{ "Orders.exe", "TSalesChart", "DrawSeries", "SalesChart", "src\\ui\\SalesChart.pas", 274 },
	{ "Orders.exe", "TSalesChart", "Paint", "SalesChart", "src\\ui\\SalesChart.pas", 331 },
	{ "Orders.exe", "TLabelPrinter", "QueryStatus", "LabelPrinter",
		"src\\print\\LabelPrinter.pas", 142 },
	{ "Orders.exe", "TShippingForm", "PrintLabelsClick", "ShippingForm",
		"src\\ui\\ShippingForm.pas", 187 },
	{ "Orders.exe", "TFolderTree", "ParsePath", "FolderTree", "src\\ui\\FolderTree.pas", 64 },
	{ "Orders.exe", "TFolderTree", "ExpandNode", "FolderTree", "src\\ui\\FolderTree.pas", 118 },
	{ "Orders.exe", "TAttachmentForm", "ShowFolder", "AttachmentForm",
		"src\\ui\\AttachmentForm.pas", 91 },
	{ "Orders.exe", "TSyncQueue", "Create", "SyncQueue", "src\\sync\\SyncQueue.pas", 39 },
	{ "Orders.exe", "TSyncWorker", "Reconnect", "SyncWorker", "src\\sync\\SyncWorker.pas",
		133 },
	{ "Orders.exe", "TSyncWorker", "Execute", "SyncWorker", "src\\sync\\SyncWorker.pas", 58 },
};
const size_t known_story_count = COUNT(known_story);

/* One leak is fixed, one has grown, one is new; the other leaks are unchanged. */
const struct leak leak_table[] = {
	{ "CreateCompatibleBitmap", { BUFFER_CREATE, GRID_DRAW_CELL, GRID_PAINT, STORY_END }, false,
		38, 0 },
	{ "RegOpenKeyExW", { SETTINGS_OPEN, SETTINGS_READ, MAIN_ACTIVATE, STORY_END }, false, 17,
		34 },
	{ "GdipCreateBitmapFromScan0",
		{ IMAGE_LOAD, THUMBNAIL_RENDER, PRODUCT_SHOW, PRODUCT_CHANGE, STORY_END }, false, 0,
		21 },
	{ "CreatePen", { LEGEND_DRAW, CHART_SERIES, CHART_PAINT, STORY_END }, false, 9, 9 },
	{ "CoTaskMemAlloc",
		{ TREE_PARSE, TREE_EXPAND, TREE_EXPAND, TREE_EXPAND, ATTACHMENT_SHOW, STORY_END },
		false, 12, 12 },
	{ "CreateEventW", { QUEUE_CREATE, SYNC_RECONNECT, SYNC_EXECUTE, STORY_END }, true, 7, 7 },
	{ "OpenPrinterW", { PRINTER_STATUS, SHIPPING_PRINT, STORY_END }, false, 4, 4 },
};
const size_t leak_count = COUNT(leak_table);

/* Win32 codes, and HRESULTs in the two forms that exporters write: unsigned and sign-extended.
 */
const struct api_error error_table[] = {
	{ "kernel32.dll", "CloseHandle", 6, 1, "The handle is invalid." },
	{ "advapi32.dll", "RegOpenKeyExW", 5, 1, "Access is denied." },
	{ "kernel32.dll", "CreateFileW", 2, 1, "The system cannot find the file specified." },
	{ "gdi32.dll", "DeleteObject", 0, 2,
		"The object is still selected into a device context." },
	{ "gdi32.dll", "CreateDIBSection", 8, 1,
		"Not enough memory resources are available to process this command." },
	{ "user32.dll", "ReleaseDC", 1400, 1, "Invalid window handle." },
	{ "winspool.drv", "OpenPrinterW", 1801, 1, "The printer name is invalid." },
	{ "ole32.dll", "CoCreateInstance", 2147942405, 1,
		"General access denied error (0x80070005)" },
	{ "ole32.dll", "CoCreateInstance", -2147221164, 1,
		"Class not registered, ClassID: {6BF52A52-394A-11D3-B153-00C04F79FAA6}" },
	{ "kernel32.dll", "FindFirstFileW", 3, 1,
		"The system cannot find the path specified.\r\nPath: \"C:\\ProgramData\\Orders\\Archiv 2025\"" },
	{ "advapi32.dll", "RegCloseKey", 0, 2,
		"An attempt to free a resource that does not exist." },
	{ "gdi32.dll", "CreateFontIndirectW", 87, 1, "The parameter is incorrect." },
	{ "kernel32.dll", "VirtualAlloc", 1455, 1,
		"The paging file is too small for this operation to complete." },
};
const size_t error_count = COUNT(error_table);

const struct application_module module_table[MODULES] = {
	{ "Orders.exe", "ui", false, 2 },
	{ "OrdersData.dll", "data", true, 7 },
	{ "OrdersGraphics.bpl", "graphics", false, 2 },
	{ "OrdersReports.dll", "reports", true, 7 },
	{ "OrdersSync.bpl", "sync", false, 2 },
	{ "OrdersPrint.dll", "print", true, 3 },
};

const char *const noun_table[NOUNS] = {
	"Order",
	"Customer",
	"Invoice",
	"Product",
	"Price",
	"Stock",
	"Shipment",
	"Payment",
	"Report",
	"Label",
	"Chart",
	"Legend",
	"Grid",
	"Toolbar",
	"Tree",
	"Preview",
	"Barcode",
	"Image",
	"Thumbnail",
	"Archive",
	"Session",
	"Query",
	"Field",
	"Import",
	"Schedule",
	"Theme",
	"Wizard",
	"Search",
	"Filter",
	"Address",
	"Country",
	"Currency",
	"Tax",
	"Discount",
	"Catalog",
	"Supplier",
	"Warehouse",
	"Route",
	"Calendar",
	"Reminder",
	"Mail",
	"Attachment",
	"Template",
	"Document",
	"Layout",
	"Größe",
	"Status",
	"Audit",
	"User",
	"Role",
	"License",
	"Update",
	"Plugin",
	"Script",
	"Contract",
	"Return",
};

const char *
name_suffix(unsigned layer, uint32_t n)
{
	static const char *const suffixes[5][4] = {
		{ "Form", "Frame", "Dialog", "Page" },
		{ "View", "Panel", "List", "Editor" },
		{ "Manager", "Controller", "Service", "Model" },
		{ "Cache", "Adapter", "Loader", "Writer" },
		{ "Buffer", "Handle", "Resource", "Surface" },
	};

	return suffixes[layer][n % 4];
}

const char *
name_method(unsigned layer, uint32_t n, bool cpp)
{
	static const char *const delphi[5][6] = {
		{ "FormShow", "FormResize", "ButtonClick", "ActionExecute", "TimerTick",
			"DataChange" },
		{ "Paint", "RefreshItems", "DrawItem", "UpdateView", "SelectRow", "Scroll" },
		{ "Load", "Recalculate", "Validate", "Apply", "Merge", "Notify" },
		{ "ReadBlock", "Fetch", "Store", "Open", "Prepare", "Lookup" },
		{ "CreateHandle", "Allocate", "Acquire", "Reserve", "Resize", "Clone" },
	};
	static const char *const cplusplus[5][6] = {
		{ "show()", "on_command(unsigned int, long)", "on_size", "open", "close", "run" },
		{ "draw(Canvas&, Rect const&)", "measure", "layout", "update", "select<int>",
			"scroll" },
		{ "load", "recalculate(std::vector<int, std::allocator<int> > const&)", "check",
			"apply", "merge", "operator()" },
		{ "read_block", "fetch(char const*, unsigned int)", "store", "open", "prepare",
			"find" },
		{ "create", "allocate", "acquire", "reserve(unsigned int)", "resize", "clone" },
	};

	return cpp ? cplusplus[layer][n % 6] : delphi[layer][n % 6];
}
