"""Pages that try to run scripts, to send requests or to leave their frame, when an inspector shows them."""

from __future__ import annotations

HOSTILE = [
    "<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "<svg onload=alert(1)><script>alert(1)</script></svg>",
    "<svg><style><img src=x onerror=alert(1)></style></svg>",
    "<math><mtext><table><mglyph><style><!--</style><img title='--&gt;&lt;img src=1 onerror=alert(1)&gt;'>",
    "<a href='javascript:alert(1)'>link</a>", "<iframe srcdoc='<script>alert(1)</script>'></iframe>",
    "<object data='javascript:alert(1)'></object><embed src='javascript:alert(1)'>",
    "<form action='/api/paste' method=post><input name=html><button autofocus onfocus=alert(1)>x</button></form>",
    "<meta http-equiv=refresh content='0;url=/'>",
    "<base href='http://evil.example/'><link rel=stylesheet href='/api/progress'>",
    "<style>@import '/api/progress'; body { background: url(/api/progress) }</style>",
    "<style>/*</style><img src=x onerror=alert(1)>*/</style>",
    "<noscript><p title='</noscript><img src=x onerror=alert(1)>'></noscript>",
    "<textarea><img src=x onerror=alert(1)></textarea>", "<title><img src=x onerror=alert(1)></title>",
    "<xmp><img src=x onerror=alert(1)></xmp><plaintext><img src=x onerror=alert(1)>",
    "<template><img src=x onerror=alert(1)></template><div><template shadowrootmode=open><img src=x onerror=alert(1)>",
    "<p style=\"background:url('/api/progress')\" onmouseover=alert(1)>text</p>",
    "<video src=/api/progress autoplay onloadstart=alert(1)><source onerror=alert(1)></video>",
    "<details open ontoggle=alert(1)><summary>a</summary>b</details>",
    "<p title='\"><img src=x onerror=alert(1)>'>text</p>",
    "<custom-element onclick=alert(1) style='animation:x' onanimationstart=alert(1)>text</custom-element>",
    "<body onload=alert(1) onpageshow=alert(1)><p>text", "</nc-text></body></html><script>alert(1)</script>",
]  # fmt: skip
